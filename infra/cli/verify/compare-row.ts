import { columnName, tableName } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { perModel } from '../../../shared/domain/entity/model/per-model.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { emptyValues } from '../../../shared/domain/record/to-record-body.ts';
import { type Difference, isSameValue } from './difference.ts';

export type Row = Readonly<Record<string, unknown>>;

export function isSameRow(model: EntityModel, row: Row, state: RecordState): boolean {
  for (const { expected, found } of cellsOf(model, row, state)) {
    if (!isSameValue(expected, found)) return false;
  }
  return true;
}

export function* differencesOf(
  model: EntityModel,
  row: Row,
  state: RecordState,
): Generator<Difference> {
  for (const cell of cellsOf(model, row, state)) {
    if (isSameValue(cell.expected, cell.found)) continue;
    yield { table: tableName(model.name), key: state.id, ...cell };
  }
}

const columnsOf = perModel(({ columns }) =>
  columns.map(({ name }) => ({ name, column: columnName(name) })),
);

type Cell = Pick<Difference, 'column' | 'expected' | 'found'>;

function* cellsOf(model: EntityModel, row: Row, state: RecordState): Generator<Cell> {
  yield { column: 'version', expected: state.version, found: row['version'] };
  yield { column: 'deleted', expected: state.deleted, found: row['deleted'] };
  // Values without event are NULL in rows that are older than their column's default.
  const empty = emptyValues(model);
  for (const { name, column } of columnsOf(model)) {
    const fallback = empty[name];
    yield {
      column,
      expected: state.values[name] ?? fallback,
      found: row[column] ?? fallback,
    };
  }
}
