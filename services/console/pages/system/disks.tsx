import { Badge, Text } from '@mantine/core';
import type { Status } from '../../api/system.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Panel } from '../../parts/page/panel.tsx';

type Disk = Status['disks'][number];

/** The free space of each disk, and the limit below which writes are rejected. */
export function Disks({ disks }: { readonly disks: readonly Disk[] }) {
  const t = useText();
  const format = useFormat();
  return (
    <Panel title={t('system.disks')}>
      {disks.length === 0 ? (
        <Text size="sm">{t('system.noDisks')}</Text>
      ) : (
        <DataTable
          label={t('system.disks')}
          rows={disks}
          keyOf={({ path }) => path}
          columns={[
            { name: 'path', label: t('system.path'), show: ({ path }) => path },
            {
              name: 'free',
              label: t('system.free'),
              show: ({ freeBytes, freeInodes, floor }) =>
                amount({ bytes: freeBytes, inodes: floor.inodes > 0 ? freeInodes : 0 }),
            },
            { name: 'floor', label: t('system.floor'), show: ({ floor }) => amount(floor) },
            { name: 'state', label: t('system.state'), show: (disk) => <DiskState disk={disk} /> },
          ]}
        />
      )}
    </Panel>
  );

  function amount({ bytes, inodes }: Disk['floor']): string {
    const free = format.bytes(bytes);
    return inodes > 0 ? t('system.withInodes', { free, count: inodes }) : free;
  }
}

function DiskState({ disk }: { readonly disk: Disk }) {
  const t = useText();
  const [text, color] = disk.isLow
    ? (['system.diskLow', 'red'] as const)
    : disk.isLowSoon
      ? (['system.diskLowSoon', 'yellow'] as const)
      : (['system.diskFine', 'green'] as const);
  return (
    <Badge variant="dot" color={color} tt="none" radius="sm">
      {t(text)}
    </Badge>
  );
}
