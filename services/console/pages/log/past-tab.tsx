import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import type { EventFilter, LoggedChange } from '../../api/system.ts';
import { toLocal, toUtc } from '../../language/local-time.ts';
import { usePageText } from '../../language/page-text.ts';
import { useTimeSettings } from '../../language/time-settings.ts';
import { MomentInput } from '../../parts/dates/moment-input.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { Time } from '../../parts/time.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EventFilters } from './event-filters.tsx';
import { EventTable } from './event-table.tsx';

export interface PastFilter extends EventFilter {
  /** API times in UTC. `to` is exclusive. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

interface Props {
  readonly filter: Partial<PastFilter>;
  readonly onChange: (change: Partial<PastFilter>) => void;
}

/** Loads earlier events page by page, newest first. */
function pastEventsQuery(filter: Partial<PastFilter>) {
  return infiniteQueryOptions({
    queryKey: ['system', 'pastEvents', filter],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filter, ...(pageParam === '' ? {} : { after: pageParam }) };
      return bodyOf(api.GET('/System/pastEvents', { params: { query: query as never }, signal }));
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
}

/** Shows earlier events of the log. */
export function PastTab({ filter, onChange }: Props) {
  const t = usePageText();
  const [opened, open] = useState<LoggedChange>();
  const found = useInfiniteQuery(pastEventsQuery(filter));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = found;
  const events = data?.pages.flatMap(({ list }) => list);
  const searchedTo = data?.pages.at(-1)?.searchedTo ?? null;
  return (
    <Stack>
      <EventFilters filter={filter} onChange={onChange}>
        {(['from', 'to'] as const).map((name) => (
          <TimeInput
            key={`${name} ${filter[name]}`}
            label={t(name === 'from' ? 'log.from' : 'log.to')}
            value={filter[name]}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
      </EventFilters>
      {error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />}
      {events === undefined ? (
        error === null ? (
          <Skeleton h={320} />
        ) : null
      ) : events.length === 0 ? (
        <Paper withBorder>
          <Empty title={t('log.noPast')} text={t('log.noPastText')} />
        </Paper>
      ) : (
        <EventTable label={t('log.pastEvents')} events={events} onOpen={open} />
      )}
      {searchedTo === null ? null : (
        <Group>
          <Button
            variant="default"
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {t('log.older')}
          </Button>
          <Text size="sm" role="status">
            {t('log.searchedTo')} <Time value={searchedTo} hasSeconds />
          </Text>
        </Group>
      )}
      {events !== undefined && events.length > 0 && !hasNextPage ? (
        <Hint>{t('log.noOlder')}</Hint>
      ) : null}
      <EventDrawer event={opened} onClose={() => open(undefined)} />
    </Stack>
  );
}

/** An input for a time that changes the filter once the user pauses typing. */
function TimeInput(props: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const { label, value = '', onChange } = props;
  const { timeZone } = useTimeSettings();
  const [local, setLocal] = useState(toLocal(value, timeZone));
  const commit = useDebouncedCallback((entered: string) => {
    const chosen = toUtc(entered, timeZone) ?? '';
    if (chosen !== value) onChange(chosen === '' ? undefined : chosen);
  }, PAUSE_MS);
  return (
    <MomentInput
      kind="time"
      label={label}
      value={local}
      onChange={(entered) => {
        setLocal(entered);
        commit(entered);
      }}
    />
  );
}

const PAUSE_MS = 500;
