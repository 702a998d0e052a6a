import { Code, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Status, statusQuery } from '../../api/system.ts';
import { useFormat } from '../../language/format.ts';
import { usePageText } from '../../language/page-text.ts';
import { Copy } from '../../parts/copy/copy.tsx';
import { Hint } from '../../parts/hint.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Panel } from '../../parts/page/panel.tsx';

/** The partitions with their lag, owner and projector. */
export function TopicsTab() {
  const t = usePageText();
  const { data, error } = useQuery(statusQuery);
  // The page shows the error above.
  if (data === undefined) return error === null ? <Skeleton h={200} /> : null;
  if (data.partitions.length === 0) {
    return <Empty title={t('log.noPartitions')} text={t('log.noPartitionsText')} />;
  }
  return (
    <Stack>
      <Lag partitions={data.partitions} />
      <RebuildPanel rebuild={data.rebuild} />
      <PartitionTable partitions={data.partitions} />
    </Stack>
  );
}

type Partitions = Status['partitions'];

function Lag({ partitions }: { readonly partitions: Partitions }) {
  const t = usePageText();
  const format = useFormat();
  const count = partitions.reduce((sum, { behind }) => sum + behind, 0);
  const seconds = Math.max(...partitions.map((one) => one.seconds));
  return (
    <Text size="sm">
      {count === 0
        ? t('log.upToDate')
        : t('log.lag', { count, duration: format.duration(seconds) })}
    </Text>
  );
}

function PartitionTable({ partitions }: { readonly partitions: Partitions }) {
  const t = usePageText();
  const format = useFormat();
  return (
    <DataTable
      label={t('log.partitions')}
      minWidth={960}
      rows={partitions}
      keyOf={({ topic, partition }) => `${topic}/${partition}`}
      columns={[
        { label: t('log.partition'), show: ({ topic, partition }) => `${topic}/${partition}` },
        { label: t('log.end'), show: ({ end }) => format.number(end) },
        { label: t('log.projected'), show: ({ projected }) => format.number(projected) },
        { label: t('log.behind'), show: ({ behind }) => format.number(behind) },
        {
          label: t('log.oldest'),
          show: ({ behind, seconds }) => (behind === 0 ? '–' : format.duration(seconds)),
        },
        { label: t('log.owner'), show: ({ owner }) => owner ?? t('log.none') },
        { label: t('log.projector'), show: ({ projector }) => projector ?? t('log.none') },
      ]}
    />
  );
}

const command = 'npm run annals -- rebuild';

/** The progress of a rebuild, which fills new tables from the log while the current ones remain in use. */
function RebuildPanel({ rebuild }: { readonly rebuild: Status['rebuild'] }) {
  const t = usePageText();
  if (rebuild === null) {
    return <Hint>{t('log.noRebuild')}</Hint>;
  }
  const { isRunning, taken, entries } = rebuild;
  const percent = entries === 0 ? 100 : Math.floor((taken / entries) * 100);
  const text = t('log.rebuildProgress', { percent, taken, count: entries });
  return (
    <Panel title={t(isRunning ? 'log.rebuildRunning' : 'log.rebuildEnded')}>
      <Stack gap="xs">
        <Progress value={percent} animated={isRunning} aria-label={text} />
        <Text size="sm" role="status">
          {text} {taken === entries && isRunning ? t('log.rebuildIndexes') : null}
        </Text>
        {isRunning ? null : (
          <Text size="sm" component="div">
            {t('log.rebuildResume')} <Code>{command}</Code>{' '}
            <Copy value={command} size="compact-xs" />
          </Text>
        )}
      </Stack>
    </Panel>
  );
}
