import { Checkbox } from '@mantine/core';
import type { Entity } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { useRights } from '../../../api/rights.ts';
import { useText } from '../../../language/language.tsx';
import { emptySelection, type Selection, toggled } from './selection.ts';

interface Props {
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

/** True if the user may perform any action on several records. */
export function useSelectable({ name, scope }: Entity): boolean {
  const rights = useRights(name);
  const mayChange = rights.may('delete') || (rights.massUpdate && rights.may('edit'));
  return scope.object && (mayChange || rights.export);
}

/** Selects all results of the list, including rows that are not loaded. */
export function SelectAll({ selection, onSelect }: Props) {
  const t = useText();
  const isAll = selection === 'everything';
  return (
    <td>
      <Checkbox
        size="xs"
        aria-label={t('many.selectAll')}
        checked={isAll}
        indeterminate={!isAll && selection.size > 0}
        onChange={() => onSelect(isAll ? emptySelection : 'everything')}
      />
    </td>
  );
}

export function SelectOne({
  record,
  selection,
  onSelect,
}: Props & { readonly record: AnyRecord | undefined }) {
  const t = useText();
  if (record === undefined) return <td />;
  const name = typeof record['name'] === 'string' && record['name'] ? record['name'] : record.id;
  return (
    <td>
      <Checkbox
        size="xs"
        aria-label={t('many.select', { name })}
        checked={selection === 'everything' || selection.has(record.id)}
        disabled={selection === 'everything'}
        onChange={() => onSelect(toggled(selection, record.id))}
      />
    </td>
  );
}
