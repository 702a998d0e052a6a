import { Checkbox, Skeleton } from '@mantine/core';
import { memo } from 'react';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { isNumeric } from '../../fields/field-types.ts';
import { RecordCell } from '../../fields/record-cell.tsx';
import { useText } from '../../language/language.tsx';
import { CellPencil } from './cells/cell-pencil.tsx';
import type { useRowSelection } from './many/use-row-selection.ts';
import styles from './record-table.module.css';

export type OnRow = ReturnType<typeof useRowSelection>;

interface RowProps {
  /** Number of the row among those of the table. */
  readonly index: number;
  /** The column of the cell under the pointer, which shows a pencil. */
  readonly hovered: string | undefined;
  /** The column of the cell that the Tab key reaches. */
  readonly stop: string | undefined;
  /** True if cells can receive the focus, to be edited. */
  readonly hasCells: boolean;
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
export const Row = memo(function Row(props: RowProps) {
  const { index, row, record, columns, entity, isSelectable, hovered, stop } = props;
  // The first row of the table is its header.
  return (
    <tr
      data-index={index}
      aria-rowindex={row + 2}
      data-selected={(isSelectable && props.isOn) || undefined}
    >
      {isSelectable ? <SelectOne {...props} /> : null}
      {props.isCompact ? (
        <CardCell {...props} />
      ) : (
        columns.map((name) => (
          <Cell
            key={name}
            name={name}
            record={record}
            entity={entity}
            hasPencil={name === hovered || name === stop}
            tabIndex={props.hasCells ? (name === stop ? 0 : -1) : undefined}
          />
        ))
      )}
    </tr>
  );
});

/** Memoized, so that moving the pointer renders only the cells that it enters and leaves. */
const Cell = memo(function Cell(props: {
  readonly record: AnyRecord | undefined;
  readonly name: string;
  readonly entity: Entity;
  readonly hasPencil: boolean;
  readonly tabIndex: 0 | -1 | undefined;
}) {
  const { record, name, entity, hasPencil, tabIndex } = props;
  return (
    <td
      data-field={name}
      data-name={name === 'name' || undefined}
      data-numeric={isNumeric(entity, name) || undefined}
      tabIndex={tabIndex}
    >
      {record === undefined ? (
        <Skeleton h={14} w="70%" />
      ) : (
        <RecordCell record={record} name={name} entity={entity} />
      )}
      {hasPencil && record !== undefined ? (
        <CellPencil record={record} name={name} entity={entity} />
      ) : null}
    </td>
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
