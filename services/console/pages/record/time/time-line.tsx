import { Box, Button, CloseButton, Group, Paper, Slider, Text } from '@mantine/core';
import type { Version } from '../../../api/history.ts';
import { useText } from '../../../language/language.tsx';
import { Pending } from '../../../parts/page/pending.tsx';
import { Ago, Time } from '../../../parts/time.tsx';
import type { TimeLineState } from './use-time-line.ts';

/** Selects the version of a record that its page shows. */
export function TimeLine(props: {
  readonly timeLine: TimeLineState;
  /** Receives undefined for the current version. */
  readonly onChange: (version: number | undefined) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { query, version } = props.timeLine;
  if (query.data === undefined || version === undefined) {
    return <Pending query={query} height={120} />;
  }
  const { versions, total } = query.data;
  const last = versions.at(-1)?.version ?? 1;
  const change = (chosen: number) => props.onChange(chosen === total ? undefined : chosen);
  return (
    <Paper withBorder p="md" component="section" aria-label={t('record.tabTime')}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text size="sm" c="dimmed">
          {t('time.lineHint')}
        </Text>
        <CloseButton
          aria-label={t('parts.close')}
          title={t('parts.close')}
          onClick={props.onClose}
        />
      </Group>
      {total > versions.length ? (
        <Text size="sm" mb="xs">
          {t('time.cut', { count: total })}
        </Text>
      ) : null}
      <VersionSlider versions={versions} last={last} version={version} onChange={change} />
      <Group justify="space-between">
        <VersionLine version={versions.find((one) => one.version === version)} last={last} />
        {version < total ? (
          <Button variant="default" size="compact-sm" onClick={() => props.onChange(undefined)}>
            {t('time.toPresent')}
          </Button>
        ) : null}
      </Group>
    </Paper>
  );
}

function VersionSlider(props: {
  readonly versions: readonly Version[];
  readonly last: number;
  readonly version: number;
  readonly onChange: (version: number) => void;
}) {
  const t = useText();
  const [first, latest] = [props.versions[0], props.versions.at(-1)];
  return (
    <Box px="xs" pb="sm">
      <Slider
        min={1}
        max={Math.max(props.last, 2)}
        disabled={props.last < 2}
        value={props.version}
        onChange={(value) => props.onChange(Math.min(value, props.last))}
        thumbLabel={t('time.line')}
        label={(value) => t('time.version', { number: `${value}` })}
        marks={props.last > 40 ? [] : marksUpTo(props.last)}
      />
      {first === undefined || latest === undefined || props.last < 2 ? null : (
        <Group justify="space-between" mt="xs" fz="xs" c="dimmed">
          <Time value={first.at} />
          <Time value={latest.at} />
        </Group>
      )}
    </Box>
  );
}

function marksUpTo(last: number) {
  return Array.from({ length: last }, (_, index) => ({ value: index + 1 }));
}

const changeTexts = {
  created: 'time.created',
  updated: 'time.updated',
  deleted: 'time.deleted',
  restored: 'time.restored',
} as const;

/** The action, time and author of a version. */
function VersionLine(props: { readonly version: Version | undefined; readonly last: number }) {
  const t = useText();
  const { version, last } = props;
  if (version === undefined) return null;
  return (
    <Text size="sm" role="status">
      <b>{t('time.versionOf', { number: `${version.version}`, total: `${last}` })}</b>
      {': '}
      {t(changeTexts[version.type])} <Ago value={version.at} />{' '}
      {t('time.by', { name: version.byName ?? version.byId ?? t('time.someone') })}
      {version.administratorId !== undefined &&
        ` (${t('time.administrator', { name: version.administratorName ?? version.administratorId })})`}
    </Text>
  );
}
