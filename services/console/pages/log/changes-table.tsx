import { Text } from '@mantine/core';
import { usePartLabel } from '../../api/metadata.ts';
import type { Change } from '../../api/system.ts';
import { usePageText } from '../../language/page-text.ts';
import { AnyValue } from '../../parts/any-value.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';

/** The attributes that an event changed, with their values before and after. */
export function ChangesTable(props: {
  readonly entityType: string;
  readonly changes: readonly Change[];
}) {
  const t = usePageText();
  const partLabel = usePartLabel();
  return (
    <DataTable
      empty={<Text size="sm">{t('log.noChanges')}</Text>}
      label={t('log.changes')}
      minWidth={420}
      rows={props.changes}
      keyOf={({ attribute }) => attribute}
      columns={[
        {
          label: t('time.attribute'),
          show: ({ attribute }) => partLabel(props.entityType, attribute),
        },
        { label: t('log.before'), show: (one) => <AnyValue value={one.before} /> },
        { label: t('log.after'), show: (one) => <AnyValue value={one.after} /> },
      ]}
    />
  );
}
