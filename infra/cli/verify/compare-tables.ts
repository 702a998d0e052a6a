import type { Client } from 'pg';
import { liveSchema, liveTable, tableName } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { FoldState } from '../../../shared/events/fold.ts';
import type { RecordFilter } from './buckets.ts';
import { compareRows } from './compare-row.ts';
import type { Differences } from './difference.ts';
import { digestOf, type ExpectedRecords } from './expect-records.ts';

interface TablesDeps {
  /** A client in a transaction with one snapshot of the database. */
  readonly client: Client;
  /** Only these records are compared. */
  readonly records: RecordFilter;
  readonly differences: Differences;
}

type Row = Readonly<Record<string, unknown>>;

/** A row may have several megabytes. */
const ROWS_AT_ONCE = 100;

/** Compares the rows, the history and the mentions of some records. */
export async function compareRecords(
  deps: TablesDeps,
  models: readonly EntityModel[],
  expected: ExpectedRecords,
): Promise<void> {
  for (const model of models) await compareEntityTable(deps, model, expected);
  await compareHistory(deps, expected);
  await compareMentions(deps, new Set(models.map(({ name }) => name)), expected);
}

/** Compares the rows of one entity type in both directions: each has to match the log, and none may be missing. */
async function compareEntityTable(
  deps: TablesDeps,
  model: EntityModel,
  expected: ExpectedRecords,
): Promise<void> {
  const { differences, records } = deps;
  const table = tableName(model.name);
  const missing = new Map(
    [...expected.records].filter(([, { state }]) => state.entityType === model.name),
  );
  const where = records.sql(`'${model.name}'`, 'id');
  await forEachRow(deps, `select * from ${liveTable(model.name)} where ${where}`, (row) => {
    const id = String(row['id']);
    if (!records.has(model.name, id)) return;
    const key = `${model.name}/${id}`;
    const record = missing.get(key);
    missing.delete(key);
    if (record === undefined || record.held.size > 0) {
      differences.add({ table, key: id, column: '*', expected: 'no row', found: 'a row' });
      return;
    }
    const columns = Object.keys(row);
    const { differences: found } = compareRows(
      model,
      columns.map((name) => ({ name })),
    );
    for (const difference of found(Object.values(row), record.state)) differences.add(difference);
  });
  for (const { state, held } of missing.values()) {
    if (held.size > 0) continue;
    differences.add({ table, key: state.id, column: '*', expected: 'a row', found: 'no row' });
  }
}

/** Checks that the history has exactly the events that count, byte for byte. */
async function compareHistory(deps: TablesDeps, expected: ExpectedRecords): Promise<void> {
  const { differences, records } = deps;
  const missing = new Map<string, string>();
  const optional = new Set<string>();
  for (const [key, { events, held }] of expected.records) {
    for (const [version, digest] of events) missing.set(`${key}/${version}`, digest);
    for (const version of held) optional.add(`${key}/${version}`);
  }
  const table = 'record_history';
  const where = records.sql('entity_type', 'record_id');
  await forEachRow(deps, `select * from ${liveSchema}.record_history where ${where}`, (row) => {
    const [entityType, id] = [String(row['entity_type']), String(row['record_id'])];
    if (!records.has(entityType, id)) return;
    const key = `${entityType}/${id}/${row['version']}`;
    const found = Buffer.isBuffer(row['event']) ? digestOf(row['event']) : undefined;
    differences.compare({ table, key, column: 'event', expected: missing.get(key), found });
    missing.delete(key);
  });
  for (const key of missing.keys()) {
    if (optional.has(key)) continue;
    differences.add({ table, key, column: '*', expected: 'a row', found: 'no row' });
  }
}

/**
 * Checks that streams have exactly the links and unlinks in events of other records. Rows of removed entity types
 * remain in the live tables, and a rebuild omits them, so they are not compared.
 */
async function compareMentions(
  deps: TablesDeps,
  entityTypes: ReadonlySet<string>,
  expected: ExpectedRecords,
): Promise<void> {
  const { differences, records } = deps;
  const table = 'stream_mentions';
  const missing = new Set<string>();
  for (const [key, { state, mentions, held }] of expected.records) {
    if (held.size > 0 || !entityTypes.has(state.entityType)) continue;
    for (const mention of mentions) missing.add(`${key}/${mention}`);
  }
  const where = records.sql('entity_type', 'by_id');
  await forEachRow(deps, `select * from ${liveSchema}.stream_mentions where ${where}`, (row) => {
    const [entityType, by] = [String(row['entity_type']), String(row['by_id'])];
    if (!entityTypes.has(entityType)) return;
    const isQuarantined = (expected.records.get(`${entityType}/${by}`)?.held.size ?? 0) > 0;
    if (isQuarantined || !records.has(entityType, by)) return;
    const key = `${entityType}/${by}/${row['record_id']}/${row['number']}/${row['version']}`;
    if (missing.delete(key)) return;
    differences.add({ table, key, column: '*', expected: 'no row', found: 'a row' });
  });
  for (const key of missing) {
    differences.add({ table, key, column: '*', expected: 'a row', found: 'no row' });
  }
}

type WholeDeps = Pick<TablesDeps, 'client' | 'differences'>;

/** `counts`: live records by `Type/partition`; `optional`: keys that may have no row. */
export function compareCounts(
  deps: WholeDeps,
  counts: ReadonlyMap<string, number>,
  optional: ReadonlySet<string>,
): Promise<void> {
  return compareWhole(deps, {
    table: 'entity_counts',
    key: ['entity_type', 'partition'],
    expected: counts,
    optional,
    toFound: (row) => Number(row['live']),
  });
}

/** `folds`: the final state of the fold, by `topic/partition`. */
export function comparePositions(
  deps: WholeDeps,
  folds: ReadonlyMap<string, FoldState>,
): Promise<void> {
  return compareWhole(deps, {
    table: 'positions',
    key: ['topic', 'partition'],
    expected: folds,
    toFound: ({ token, sequence, sealed }) => ({ token, sequence: Number(sequence), sealed }),
  });
}

/** Both sets contain `topic/partition/offset`. */
export function compareRejected(
  { differences }: Pick<WholeDeps, 'differences'>,
  expected: ReadonlySet<string>,
  found: ReadonlySet<string>,
): void {
  const toValue = (places: ReadonlySet<string>, key: string) =>
    places.has(key) ? 'rejected' : undefined;
  for (const key of expected.symmetricDifference(found)) {
    differences.add({
      table: 'rejected_entries',
      key,
      column: '*',
      expected: toValue(expected, key),
      found: toValue(found, key),
    });
  }
}

interface WholeTable {
  readonly table: string;
  /** The columns of its key. */
  readonly key: readonly string[];
  readonly expected: ReadonlyMap<string, unknown>;
  /** Keys that may be missing. */
  readonly optional?: ReadonlySet<string>;
  readonly toFound: (row: Row) => unknown;
}

async function compareWhole(
  { client, differences }: WholeDeps,
  { table, key: columns, expected, optional, toFound }: WholeTable,
): Promise<void> {
  const { rows } = await client.query<Row>(`select * from ${liveSchema}.${table}`);
  const found = new Map(
    rows.map((row) => [columns.map((column) => row[column]).join('/'), toFound(row)]),
  );
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    if (optional?.has(key) === true && !found.has(key)) continue;
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
