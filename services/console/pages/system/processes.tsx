import { Alert, Stack } from '@mantine/core';
import type { Status } from '../../api/system.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Panel } from '../../parts/page/panel.tsx';

const kinds = {
  apis: 'system.api',
  projectors: 'system.projector',
  dispatchers: 'system.dispatcher',
} as const;

type Kind = keyof typeof kinds;

/** The running processes with their number of partitions, and topics with problems. */
export function Processes({ status }: { readonly status: Status }) {
  const t = useText();
  const format = useFormat();
  const { instances, partitions, topics } = status;
  const rows = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
    instances[kind].map((address) => ({
      kind,
      address,
      share: partitions.filter((one) => ownerIn(one, kind) === address).length,
    })),
  );
  return (
    <Panel title={t('system.processes')}>
      <Stack>
        {topics.missing.length === 0 ? null : (
          <Alert color="red">{t('system.missing', { topics: topics.missing.join(', ') })}</Alert>
        )}
        {topics.differing.length === 0 ? null : (
          <Alert color="yellow">
            {t('system.differing', { topics: topics.differing.join(', ') })}
          </Alert>
        )}
        {rows.length === 0 ? (
          <Empty title={t('system.noProcesses')} text={t('system.noProcessesText')} />
        ) : (
          <DataTable
            label={t('system.processes')}
            rows={rows}
            keyOf={({ kind, address }) => `${kind} ${address}`}
            columns={[
              { name: 'address', label: t('system.address'), show: ({ address }) => address },
              { name: 'kind', label: t('system.kind'), show: ({ kind }) => t(kinds[kind]) },
              {
                name: 'share',
                label: t('system.share'),
                show: ({ kind, share }) => (kind === 'dispatchers' ? '–' : format.number(share)),
              },
            ]}
          />
        )}
      </Stack>
    </Panel>
  );
}

function ownerIn(partition: Status['partitions'][number], kind: Kind): string | null {
  if (kind === 'apis') return partition.owner;
  return kind === 'projectors' ? partition.projector : null;
}
