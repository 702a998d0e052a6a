import { Checkbox, Skeleton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord, ListSearch } from '../../api/records.ts';
import { useRights } from '../../api/rights.ts';
import { RecordCell } from '../../fields/record-cell.tsx';
import { useText } from '../../language/language.tsx';
import { SortButton } from '../../parts/list/data-table.tsx';
import { emptySelection, type Selection, toggled } from './many/selection.ts';
import styles from './record-table.module.css';

export interface RowRange {
  readonly from: number;
  readonly to: number;
}

interface SelectProps {
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

interface Props extends SelectProps {
  readonly entity: Entity;
  readonly columns: readonly string[];
  readonly search: ListSearch;
  readonly rowCount: number;
  /** Number of the first row of this part among all rows. */
  readonly firstRow: number;
  readonly total: number;
  /** The loaded records by row number. */
  readonly records: ReadonlyMap<number, AnyRecord>;
  readonly onSort: (sort: string) => void;
  readonly onRange: (range: RowRange) => void;
}

const rowHeight = 37;

/** A native table that renders only the visible rows. */
export function RecordTable(props: Props) {
  const t = useText();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: props.rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = rows.getVirtualItems();
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { onRange, columns, entity } = props;
  const isSelectable = useSelectable(entity);
  const width = columns.length + (isSelectable ? 1 : 0);
  useEffect(() => onRange({ from, to }), [from, to, onRange]);
  const label = t('records.table', { entity: entity.labelPlural });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users have to be able to scroll it
    <section ref={scroller} className={styles['scroller']} aria-label={label} tabIndex={0}>
      <table className={styles['table']} aria-rowcount={props.total + 1} aria-label={label}>
        <thead>
          <tr aria-rowindex={1}>
            {isSelectable ? <SelectAll {...props} /> : null}
            {columns.map((name) => (
              <SortHeader key={name} name={name} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={items[0]?.start ?? 0} columns={width} />
          {items.map(({ index }) => (
            <Row
              key={index}
              number={props.firstRow + index + 2}
              record={props.records.get(index)}
              columns={columns}
              entity={entity}
              isSelectable={isSelectable}
              selection={props.selection}
              onSelect={props.onSelect}
            />
          ))}
          <Space height={rows.getTotalSize() - (items.at(-1)?.end ?? 0)} columns={width} />
        </tbody>
      </table>
    </section>
  );
}

interface RowProps extends SelectProps {
  readonly columns: readonly string[];
  readonly entity: Entity;
  readonly number: number;
  readonly record: AnyRecord | undefined;
  readonly isSelectable: boolean;
}

/** Memoized, so that scrolling renders only new rows. Rendering all visible rows would take most of a frame. */
const Row = memo(function Row(props: RowProps) {
  const { number, record, columns, entity, isSelectable } = props;
  return (
    <tr aria-rowindex={number}>
      {isSelectable ? <SelectOne {...props} /> : null}
      {columns.map((name) => (
        <td key={name}>
          {record === undefined ? (
            <Skeleton h={14} w="70%" />
          ) : (
            <RecordCell record={record} name={name} entity={entity} />
          )}
        </td>
      ))}
    </tr>
  );
});

/** Takes the space of the rows that are not rendered. */
function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr className={styles['space']}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

function SortHeader({ name, entity, search, onSort }: Props & { readonly name: string }) {
  const isSorted = search.orderBy === name;
  const isAscending = isSorted && search.order === 'asc';
  const label = entity.labelOf(name);
  return (
    <th scope="col" aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}>
      <SortButton
        label={label}
        isSorted={isSorted}
        isAscending={isAscending}
        onClick={() => onSort(isAscending ? `-${name}` : name)}
      />
    </th>
  );
}

/** True if the user may perform any action on several records. */
function useSelectable({ name, scope }: Entity): boolean {
  const rights = useRights(name);
  const mayChange = rights.may('delete') || (rights.massUpdate && rights.may('edit'));
  return scope.object && (mayChange || rights.export);
}

/** Selects all results of the list, including rows that are not loaded. */
function SelectAll({ selection, onSelect }: SelectProps) {
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

function SelectOne({
  record,
  selection,
  onSelect,
}: SelectProps & { readonly record: AnyRecord | undefined }) {
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
