import { Badge, Button, Group, Paper, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { EventFilter, LoggedChange } from '../../api/system.ts';
import { usePageText } from '../../language/page-text.ts';
import { Hint } from '../../parts/hint.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EventFilters } from './event-filters.tsx';
import { EventTable } from './event-table.tsx';
import { maxRows } from './live-buffer.ts';
import { type Connection, useLiveEvents } from './use-live-events.ts';

interface Props {
  readonly filter: Partial<EventFilter>;
  readonly onChange: (change: Partial<EventFilter>) => void;
}

/** Shows new events of the log live. */
export function LiveTab({ filter, onChange }: Props) {
  const t = usePageText();
  const live = useLiveEvents(filter);
  const [opened, open] = useState<LoggedChange>();
  const { rows, total, isPaused, heldCount } = live.buffer;
  return (
    <Stack>
      <EventFilters filter={filter} onChange={onChange} />
      <Group justify="space-between">
        <Group gap="sm">
          <ConnectionBadge connection={live.connection} />
          <Text size="sm">
            {isPaused ? t('log.held', { count: heldCount }) : t('log.shown', { count: total })}
          </Text>
        </Group>
        {isPaused ? (
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
            onClick={live.resume}
          >
            {t('log.resume')}
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<IconPlayerPause size={16} aria-hidden="true" />}
            onClick={live.pause}
          >
            {t('log.pause')}
          </Button>
        )}
      </Group>
      {live.hasGap ? <Text size="sm">{t('log.gap')}</Text> : null}
      <Announcement total={total} isPaused={isPaused} />
      {rows.length === 0 ? (
        <Nothing isNarrowed={Object.values(filter).some((part) => part !== undefined)} />
      ) : (
        <EventTable label={t('log.events')} events={rows} onOpen={open} />
      )}
      {rows.length === maxRows ? <Hint>{t('log.trimmed', { count: maxRows })}</Hint> : null}
      <EventDrawer event={opened} onClose={() => open(undefined)} />
    </Stack>
  );
}

function Nothing({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const t = usePageText();
  return (
    <Paper withBorder>
      {isNarrowed ? (
        <Empty title={t('log.noMatch')} text={t('log.noMatchText')} />
      ) : (
        <Empty title={t('log.nothing')} text={t('log.nothingText')} />
      )}
    </Paper>
  );
}

const connections = {
  away: ['log.reconnecting', 'red'],
  connecting: ['log.connecting', 'yellow'],
  open: ['log.open', 'green'],
} as const;

function ConnectionBadge({ connection }: { readonly connection: Connection }) {
  const t = usePageText();
  const [text, color] = connections[connection];
  return (
    <Badge color={color} role="status">
      {t(text)}
    </Badge>
  );
}

/** Limits the announcements of a busy log, so that a screen reader can finish its output. */
const announceEveryMs = 10_000;

/** Announces the number of new events to screen readers, except while paused. */
function Announcement(props: { readonly total: number; readonly isPaused: boolean }) {
  const t = usePageText();
  const latest = useRef(props);
  latest.current = props;
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    let announced = 0;
    const timer = setInterval(() => {
      const { total, isPaused } = latest.current;
      if (isPaused) return;
      // The filter has changed.
      if (total < announced) announced = 0;
      setAnnouncement(total === announced ? '' : t('log.came', { count: total - announced }));
      announced = total;
    }, announceEveryMs);
    return () => clearInterval(timer);
  }, [t]);
  return <VisuallyHidden role="status">{announcement}</VisuallyHidden>;
}
