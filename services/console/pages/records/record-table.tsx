import { Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord, ListSearch } from '../../api/records.ts';
import { useRights } from '../../api/rights.ts';
import { useText } from '../../language/language.tsx';
import { CellEdit } from './cells/cell-edit.tsx';
import { useCells } from './cells/use-cells.ts';
import { ColumnHeader } from './columns/column-header.tsx';
import type { Widths } from './columns/list-preferences.ts';
import { allResults, emptySelection, isSelected, type Selection } from './many/selection.ts';
import { type OnRow, Row } from './record-row.tsx';
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
  /** Without any width, the columns are as wide as their contents. */
  readonly widths: Widths;
  readonly onWidths: (widths: Widths) => void;
  readonly onSort: (sort: string) => void;
  readonly onRange: (range: RowRange) => void;
  readonly onRow: OnRow;
}

const rowHeight = 37;
const cardHeight = 80;
const narrowScreen = '(max-width: 48em)';

/** A native table that renders only the visible rows. On narrow screens, each row is a card of up to three lines. */
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
  const cells = useCells(props, {
    scroller,
    isCompact,
    rows: { first: rows.range?.startIndex ?? 0, from, to },
  });
  const headed = isCompact ? columns.slice(0, 1) : columns;
  const width = headed.length + (isSelectable ? 1 : 0);
  useEffect(() => onRange({ from, to }), [from, to, onRange]);
  const label = t('records.table', { entity: entity.labelPlural });
  const [widths, resize] = useWidths(props);
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
              <ColumnHeader {...props} key={name} name={name} widths={widths} onResize={resize} />
            ))}
          </tr>
        </thead>
        <tbody {...cells.handlers}>
          <Space height={items[0]?.start ?? 0} columns={width} />
          {items.map(({ index }) => (
            <Row
              key={index}
              index={index}
              hovered={cells.hovered?.index === index ? cells.hovered.name : undefined}
              stop={cells.stop?.index === index ? cells.stop.name : undefined}
              hasCells={cells.stop !== undefined}
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
      {cells.edits.map((edit) => (
        <CellEdit
          key={`${edit.id} ${edit.name}`}
          {...edit}
          entity={entity}
          onDone={() => cells.close(edit)}
        />
      ))}
    </section>
  );
}

/** Returns the widths of the columns, also while one is resized, and a function that changes them. */
function useWidths(props: Pick<Props, 'onWidths' | 'widths'>) {
  const [resized, setResized] = useState<Widths>();
  const resize = (changed: Widths, isFinal: boolean): void => {
    setResized(isFinal ? undefined : changed);
    if (isFinal) props.onWidths(changed);
  };
  return [resized ?? props.widths, resize] as const;
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
