import { Text } from '@mantine/core';
import type { Status } from '../../api/system.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Panel } from '../../parts/page/panel.tsx';

const stages: ReadonlyMap<string, StageText> = new Map([
  ['matching', 'system.stageMatching'],
  ['delivery', 'system.stageDelivery'],
  ['overflow', 'system.stageOverflow'],
  ['second attempt', 'system.stageSecond'],
  ['third attempt', 'system.stageThird'],
  ['later attempts', 'system.stageLater'],
]);

type StageText =
  `system.stage${'Delivery' | 'Later' | 'Matching' | 'Overflow' | 'Second' | 'Third'}`;

/** The length of the webhook queues at each stage. */
export function Queues({ queues }: { readonly queues: Status['queues'] }) {
  const t = useText();
  const format = useFormat();
  const nameOf = (stage: string): string => {
    const text = stages.get(stage);
    return text === undefined ? stage : t(text);
  };
  return (
    <Panel title={t('system.queues')}>
      {queues.length === 0 ? (
        <Text size="sm">{t('system.noQueues')}</Text>
      ) : (
        <DataTable
          label={t('system.queues')}
          rows={queues}
          keyOf={({ stage }) => stage}
          columns={[
            { name: 'stage', label: t('system.stage'), show: ({ stage }) => nameOf(stage) },
            { name: 'topic', label: t('system.topic'), show: ({ topic }) => topic },
            {
              name: 'waiting',
              label: t('system.waiting'),
              show: ({ waiting }) => format.number(waiting),
            },
            {
              name: 'seconds',
              label: t('system.oldest'),
              show: ({ waiting, seconds }) => (waiting === 0 ? '–' : format.duration(seconds)),
            },
          ]}
        />
      )}
    </Panel>
  );
}
