import { columnName, tableName } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { emptyValues } from '../../../shared/domain/record/to-record-body.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import { type Difference, isSameValue } from './difference.ts';

interface ComparedColumn {
  readonly column: string;
  /** The index of the column in a row. */
  readonly at: number;
  /** The value of rows that are older than the column's default, and of records without an event about it. */
  readonly empty: AttributeValue;
  readonly expected: (state: RecordState) => AttributeValue | undefined;
}

export interface RowComparison {
  /** The index of the id in a row. */
  readonly idAt: number;
  isSame(row: readonly unknown[], state: RecordState): boolean;
  differences(row: readonly unknown[], state: RecordState): readonly Difference[];
}

/** Compares rows with the states of their records. `fields` are the columns of the rows. */
export function compareRows(
  model: EntityModel,
  fields: readonly { readonly name: string }[],
): RowComparison {
  const positions = new Map(fields.map(({ name }, index) => [name, index]));
  const columns = columnsOf(model, positions);
  const isSameCell = (
    { at, empty, expected }: ComparedColumn,
    row: readonly unknown[],
    state: RecordState,
  ) => isSameValue(expected(state) ?? empty, row[at] ?? empty);
  return {
    idAt: positions.get('id') ?? -1,
    isSame: (row, state) => columns.every((column) => isSameCell(column, row, state)),
    differences: (row, state) =>
      columns
        .filter((column) => !isSameCell(column, row, state))
        .map(({ column, at, empty, expected }) => ({
          table: tableName(model.name),
          key: state.id,
          column,
          expected: expected(state) ?? empty ?? undefined,
          found: row[at] ?? empty ?? undefined,
        })),
  };
}

function columnsOf(
  model: EntityModel,
  positions: ReadonlyMap<string, number>,
): readonly ComparedColumn[] {
  const empty = emptyValues(model);
  const toColumn = (
    column: string,
    expected: ComparedColumn['expected'],
    fallback: AttributeValue = null,
  ): ComparedColumn => ({ column, at: positions.get(column) ?? -1, empty: fallback, expected });
  return [
    toColumn('version', ({ version }) => version),
    toColumn('deleted', ({ deleted }) => deleted),
    ...model.columns.map(({ name }) =>
      toColumn(columnName(name), ({ values }) => values[name], empty[name]),
    ),
  ];
}
