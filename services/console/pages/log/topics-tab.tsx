import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Status, statusQuery } from '../../api/system.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { RebuildPanel } from './rebuild-panel.tsx';

/** The partitions with their lag, owner and projector. */
export function TopicsTab() {
  const t = useText();
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
  const t = useText();
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
  const t = useText();
  const format = useFormat();
  return (
    <DataTable
      label={t('log.partitions')}
      minWidth={960}
      rows={partitions}
      keyOf={({ topic, partition }) => `${topic}/${partition}`}
      columns={[
        {
          name: 'partition',
          label: t('log.partition'),
          show: ({ topic, partition }) => `${topic}/${partition}`,
        },
        { name: 'end', label: t('log.end'), show: ({ end }) => format.number(end) },
        {
          name: 'projected',
          label: t('log.projected'),
          show: ({ projected }) => format.number(projected),
        },
        { name: 'behind', label: t('log.behind'), show: ({ behind }) => format.number(behind) },
        {
          name: 'seconds',
          label: t('log.oldest'),
          show: ({ behind, seconds }) => (behind === 0 ? '–' : format.duration(seconds)),
        },
        { name: 'owner', label: t('log.owner'), show: ({ owner }) => owner ?? t('log.none') },
        {
          name: 'projector',
          label: t('log.projector'),
          show: ({ projector }) => projector ?? t('log.none'),
        },
      ]}
    />
  );
}
