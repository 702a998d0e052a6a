import { rem, Table, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../language/language.tsx';
import styles from './data-table.module.css';
import { Scroller } from './scroller.tsx';

export interface Column<Row> {
  /** The name to sort by; absent if the table cannot be sorted by this column. */
  readonly name?: string;
  /** Distinguishes columns with the same label. */
  readonly id?: string;
  /** Empty for a column of buttons. */
  readonly label: string;
  /** Shown as the heading instead of the label. */
  readonly title?: ReactNode;
  readonly show: (row: Row) => ReactNode;
}

interface Props<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  /** The cells of the first column are the headers of their rows. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Shown instead of a table without rows. */
  readonly empty?: ReactNode;
  /** The width in pixels below which the table scrolls, except on narrow screens. */
  readonly minWidth?: number;
  /** Name of the sort column, prefixed with `-` for descending order. */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
}

const usualWidth = 560;

/**
 * A native table. On narrow screens, each row is a card: its header and its buttons in the first line, and below it the
 * other cells, each with the label of its column.
 */
export function DataTable<Row>(props: Props<Row>) {
  const t = useText();
  const { label, columns, rows, keyOf, minWidth = usualWidth, empty } = props;
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    <Scroller label={label}>
      <Table
        withTableBorder
        className={styles['table'] ?? ''}
        style={{ '--narrowest': rem(minWidth) }}
        aria-label={label}
      >
        <Table.Thead>
          <Table.Tr data-label={t('records.sort')}>
            {columns.map((column) => (
              <Header key={keyOfColumn(column)} column={column} {...props} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <Table.Th key={keyOfColumn(column)} scope="row" fw={500}>
                    {column.show(row)}
                  </Table.Th>
                ) : (
                  <Table.Td
                    key={keyOfColumn(column)}
                    data-label={column.label}
                    ta={column.label === '' ? 'end' : undefined}
                  >
                    {column.show(row)}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroller>
  );
}

function keyOfColumn<Row>({ id, name, label }: Column<Row>): string {
  return id ?? name ?? label;
}

function Header<Row>(props: Props<Row> & { readonly column: Column<Row> }) {
  const { column, sort, onSort } = props;
  if (column.label === '') return <Table.Td />;
  const { name } = column;
  if (name === undefined || onSort === undefined) {
    return <Table.Th scope="col">{column.title ?? column.label}</Table.Th>;
  }
  const isAscending = sort === name;
  const isSorted = isAscending || sort === `-${name}`;
  return (
    <Table.Th
      scope="col"
      aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}
    >
      <SortButton
        label={column.label}
        isSorted={isSorted}
        isAscending={isAscending}
        onClick={() => onSort(isAscending ? `-${name}` : name)}
      />
    </Table.Th>
  );
}

/** The sort button in a column header. */
export function SortButton(props: {
  readonly label: string;
  readonly isSorted: boolean;
  readonly isAscending: boolean;
  readonly onClick: () => void;
}) {
  const t = useText();
  const { label, isSorted, isAscending, onClick } = props;
  return (
    <UnstyledButton
      className={styles['sort'] ?? ''}
      title={t('records.sortBy', { column: label })}
      onClick={onClick}
    >
      {label}
      <span aria-hidden="true">{isSorted ? (isAscending ? ' ↑' : ' ↓') : ''}</span>
    </UnstyledButton>
  );
}
