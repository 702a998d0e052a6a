import type { Client } from 'pg';
import {
  columnName,
  liveSchema,
  liveTable,
  tableName,
} from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { emptyValues } from '../../../shared/domain/record/to-record-body.ts';
import type { Differences } from './difference.ts';
import { digestOf, type Expected, type ExpectedRecord, sliceOf } from './expect-slice.ts';

interface TablesDeps {
  /** A client in a transaction with one snapshot of the database. */
  readonly client: Client;
  readonly slice: { readonly index: number; readonly of: number };
  readonly differences: Differences;
}

type Row = Readonly<Record<string, unknown>>;

const ROWS_AT_ONCE = 2_000;

/** Compares the rows of one entity type in both directions: each has to match the log, and none may be missing. */
export async function compareEntityTable(
  deps: TablesDeps,
  model: EntityModel,
  { records }: Expected,
): Promise<void> {
  const { differences, slice } = deps;
  const table = tableName(model.name);
  const missing = new Map([...records].filter(([, { state }]) => state.entityType === model.name));
  await forEachRow(deps, `select * from ${liveTable(model.name)}`, (row) => {
    const id = String(row['id']);
    if (sliceOf(model.name, id, slice.of) !== slice.index) return;
    const key = `${model.name}/${id}`;
    const expected = missing.get(key);
    missing.delete(key);
    if (expected === undefined) {
      differences.add({ table, key: id, column: '*', expected: 'no row', found: 'a row' });
    } else compareRow(deps, model, { row, expected });
  });
  for (const { state } of missing.values()) {
    differences.add({ table, key: state.id, column: '*', expected: 'a row', found: 'no row' });
  }
}

function compareRow(
  { differences }: TablesDeps,
  model: EntityModel,
  { row, expected }: { readonly row: Row; readonly expected: ExpectedRecord },
): void {
  const { state } = expected;
  const at = { table: tableName(model.name), key: state.id };
  for (const name of ['version', 'deleted'] as const) {
    differences.compare({ ...at, column: name, expected: state[name], found: row[name] });
  }
  // Values without event are NULL in rows that are older than their column's default.
  const empty = emptyValues(model);
  for (const { name } of model.columns) {
    const column = columnName(name);
    const told = state.values[name];
    differences.compare({
      ...at,
      column,
      expected: told ?? empty[name],
      found: row[column] ?? empty[name],
    });
  }
}

/** Checks that the history has exactly the events that count, byte for byte. */
export async function compareHistory(deps: TablesDeps, { records }: Expected): Promise<void> {
  const { differences, slice } = deps;
  const missing = new Map<string, string>();
  for (const [key, { events }] of records) {
    for (const [version, digest] of events) missing.set(`${key}/${version}`, digest);
  }
  const table = 'record_history';
  await forEachRow(deps, `select * from ${liveSchema}.record_history`, (row) => {
    const entityType = String(row['entity_type']);
    const id = String(row['record_id']);
    if (sliceOf(entityType, id, slice.of) !== slice.index) return;
    const key = `${entityType}/${id}/${row['version']}`;
    const found = Buffer.isBuffer(row['event']) ? digestOf(row['event']) : undefined;
    differences.compare({ table, key, column: 'event', expected: missing.get(key), found });
    missing.delete(key);
  });
  for (const key of missing.keys()) {
    differences.add({ table, key, column: '*', expected: 'a row', found: 'no row' });
  }
}

/** Checks that streams have exactly the links and unlinks of events of other records. */
export async function compareMentions(deps: TablesDeps, { records }: Expected): Promise<void> {
  const { differences, slice } = deps;
  const table = 'stream_mentions';
  const missing = new Set<string>();
  for (const [key, { mentions }] of records) {
    for (const mention of mentions) missing.add(`${key}/${mention}`);
  }
  await forEachRow(deps, `select * from ${liveSchema}.stream_mentions`, (row) => {
    const entityType = String(row['entity_type']);
    const id = String(row['by_id']);
    if (sliceOf(entityType, id, slice.of) !== slice.index) return;
    const key = `${entityType}/${id}/${row['record_id']}/${row['number']}/${row['version']}`;
    if (missing.delete(key)) return;
    differences.add({ table, key, column: '*', expected: 'no row', found: 'a row' });
  });
  for (const key of missing) {
    differences.add({ table, key, column: '*', expected: 'a row', found: 'no row' });
  }
}

/** Compares data beside the records: counts, positions, rejected entries. */
export async function compareRest(
  deps: Omit<TablesDeps, 'slice'>,
  { counts, folds, rejected }: Expected,
): Promise<void> {
  await compareWhole(deps, {
    table: 'entity_counts',
    key: ['entity_type', 'partition'],
    expected: counts,
    toFound: (row) => Number(row['live']),
  });
  await compareWhole(deps, {
    table: 'positions',
    key: ['topic', 'partition'],
    expected: folds,
    toFound: ({ token, sequence, sealed }) => ({ token, sequence: Number(sequence), sealed }),
  });
  await compareWhole(deps, {
    table: 'rejected_entries',
    key: ['topic', 'partition', 'log_offset'],
    expected: new Map([...rejected].map((place) => [place, 'rejected'])),
    toFound: () => 'rejected',
  });
}

interface WholeTable {
  readonly table: string;
  /** The columns of its key. */
  readonly key: readonly string[];
  readonly expected: ReadonlyMap<string, unknown>;
  readonly toFound: (row: Row) => unknown;
}

async function compareWhole(
  { client, differences }: Omit<TablesDeps, 'slice'>,
  { table, key: columns, expected, toFound }: WholeTable,
): Promise<void> {
  const { rows } = await client.query<Row>(`select * from ${liveSchema}.${table}`);
  const found = new Map(
    rows.map((row) => [columns.map((column) => row[column]).join('/'), toFound(row)]),
  );
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const [should, is] = [expected.get(key), found.get(key)];
    differences.compare({ table, key, column: '*', expected: should, found: is });
  }
}

async function forEachRow(
  { client }: Pick<TablesDeps, 'client'>,
  select: string,
  onRow: (row: Row) => void,
): Promise<void> {
  await client.query(`declare verified no scroll cursor for ${select}`);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${ROWS_AT_ONCE} from verified`);
    for (const row of rows) onRow(row);
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await client.query('close verified');
}
