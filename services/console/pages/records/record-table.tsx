import { Checkbox, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef, useState } from 'react';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord, ListSearch } from '../../api/records.ts';
import { useRights } from '../../api/rights.ts';
import { isNumeric } from '../../fields/field-types.ts';
import { RecordCell } from '../../fields/record-cell.tsx';
import { useText } from '../../language/language.tsx';
import { ColumnHeader } from './columns/column-header.tsx';
import type { Widths } from './columns/list-preferences.ts';
import { allResults, emptySelection, isSelected, type Selection } from './many/selection.ts';
import type { useRowSelection } from './many/use-row-selection.ts';
import styles from './record-table.module.css';

export interface RowRange {
  readonly from: number;
  readonly to: number;
}

type OnRow = ReturnType<typeof useRowSelection>;

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
  /** Without any width, the columns are as wide as their contents. */
  readonly widths: Widths;
  readonly onWidths: (widths: Widths) => void;
  readonly onSort: (sort: string) => void;
  readonly onRange: (range: RowRange) => void;
  readonly onRow: OnRow;
}

const rowHeight = 37;
const cardHeight = 56;
const narrowScreen = '(max-width: 48em)';

/** A native table that renders only the visible rows. On narrow screens, each row is a card of two lines. */
export function RecordTable(props: Props) {
  const t = useText();
  const isCompact = useMediaQuery(narrowScreen, false, { getInitialValueInEffect: false });
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: props.rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isCompact ? cardHeight : rowHeight),
    overscan: 12,
  });
  const items = rows.getVirtualItems();
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: cards are higher than rows
  useEffect(() => rows.measure(), [rows, isCompact]);
  const { onRange, columns, entity } = props;
  const isSelectable = useSelectable(entity);
  const headed = isCompact ? columns.slice(0, 1) : columns;
  const width = headed.length + (isSelectable ? 1 : 0);
  useEffect(() => onRange({ from, to }), [from, to, onRange]);
  const label = t('records.table', { entity: entity.labelPlural });
  const [resized, setResized] = useState<Widths>();
  const widths = resized ?? props.widths;
  const resize = (changed: Widths, isFinal: boolean): void => {
    setResized(isFinal ? undefined : changed);
    if (isFinal) props.onWidths(changed);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users have to be able to scroll it
    <section ref={scroller} className={styles['scroller']} aria-label={label} tabIndex={0}>
      <table
        className={styles['table']}
        aria-rowcount={props.total + 1}
        aria-label={label}
        style={hasWidths(widths) && !isCompact ? fixedLayout : undefined}
      >
        {isCompact ? null : (
          <ColumnWidths columns={columns} widths={widths} isSelectable={isSelectable} />
        )}
        <thead>
          <tr aria-rowindex={1}>
            {isSelectable ? <SelectAll {...props} /> : null}
            {headed.map((name) => (
              <ColumnHeader
                key={name}
                name={name}
                entity={entity}
                search={props.search}
                widths={widths}
                onSort={props.onSort}
                onResize={resize}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={items[0]?.start ?? 0} columns={width} />
          {items.map(({ index }) => (
            <Row
              key={index}
              row={props.firstRow + index}
              record={props.records.get(index)}
              columns={columns}
              entity={entity}
              isSelectable={isSelectable}
              isCompact={isCompact}
              isOn={isOn(props, index)}
              onRow={props.onRow}
            />
          ))}
          <Space height={rows.getTotalSize() - (items.at(-1)?.end ?? 0)} columns={width} />
        </tbody>
      </table>
    </section>
  );
}

/** The table has the sum of the widths of its columns. */
const fixedLayout = { tableLayout: 'fixed', width: 0 } as const;
/** The width of columns that were added after the others were resized. */
const usualWidth = 160;
const checkboxWidth = 44;

function hasWidths(widths: Widths): boolean {
  return Object.keys(widths).length > 0;
}

function ColumnWidths(props: {
  readonly columns: readonly string[];
  readonly widths: Widths;
  readonly isSelectable: boolean;
}) {
  const { columns, widths, isSelectable } = props;
  if (!hasWidths(widths)) return null;
  return (
    <colgroup>
      {isSelectable ? <col style={{ width: checkboxWidth }} /> : null}
      {columns.map((name) => (
        <col key={name} style={{ width: widths[name] ?? usualWidth }} />
      ))}
    </colgroup>
  );
}

function isOn({ records, selection }: Props, index: number): boolean {
  const record = records.get(index);
  return record !== undefined && isSelected(selection, record.id);
}

interface RowProps {
  readonly columns: readonly string[];
  readonly entity: Entity;
  /** Number of the row among all rows. */
  readonly row: number;
  readonly record: AnyRecord | undefined;
  readonly isSelectable: boolean;
  readonly isCompact: boolean;
  readonly isOn: boolean;
  readonly onRow: OnRow;
}

/** Memoized, so that scrolling renders only new rows. Rendering all visible rows would take most of a frame. */
const Row = memo(function Row(props: RowProps) {
  const { row, record, columns, entity, isSelectable } = props;
  // The first row of the table is its header.
  return (
    <tr aria-rowindex={row + 2} data-selected={(isSelectable && props.isOn) || undefined}>
      {isSelectable ? <SelectOne {...props} /> : null}
      {props.isCompact ? (
        <CardCell {...props} />
      ) : (
        columns.map((name) => (
          <td
            key={name}
            data-name={name === 'name' || undefined}
            data-numeric={isNumeric(entity, name) || undefined}
          >
            {record === undefined ? (
              <Skeleton h={14} w="70%" />
            ) : (
              <RecordCell record={record} name={name} entity={entity} />
            )}
          </td>
        ))
      )}
    </tr>
  );
});

/** The first column, and below it the others, as far as they fit. */
function CardCell({ record, columns, entity }: RowProps) {
  const [first, ...others] = columns;
  if (record === undefined || first === undefined) {
    return (
      <td>
        <Skeleton h={14} w="70%" />
      </td>
    );
  }
  return (
    <td className={styles['card']}>
      <div>
        <RecordCell record={record} name={first} entity={entity} />
      </div>
      <div className={styles['details']}>
        {others.map((name) => (
          <span key={name} title={entity.labelOf(name)}>
            <RecordCell record={record} name={name} entity={entity} />
          </span>
        ))}
      </div>
    </td>
  );
}

/** Takes the space of the rows that are not rendered. */
function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr className={styles['space']}>
      <td colSpan={columns} style={{ height }} />
    </tr>
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
  const isBySearch = selection.kind === 'everything';
  const isAll = isBySearch && selection.exceptIds.size === 0;
  const isPartial = isBySearch ? !isAll : selection.ids.size > 0;
  return (
    <td>
      <Checkbox
        size="xs"
        aria-label={t('many.selectAll')}
        checked={isAll}
        indeterminate={isPartial}
        onChange={() => onSelect(isAll ? emptySelection : allResults)}
      />
    </td>
  );
}

function SelectOne({ row, record, isOn: isChecked, onRow }: RowProps) {
  const t = useText();
  if (record === undefined) return <td />;
  const { id } = record;
  const name = typeof record['name'] === 'string' && record['name'] ? record['name'] : id;
  return (
    <td>
      <Checkbox
        size="xs"
        aria-label={t('many.select', { name })}
        checked={isChecked}
        // Shift+click would select the text between the rows.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onChange={({ currentTarget, nativeEvent }) =>
          void onRow({
            row,
            id,
            isOn: currentTarget.checked,
            isRange: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey,
          })
        }
      />
    </td>
  );
}
