import type { QueryResultRow } from 'pg';
import {
  columnName,
  liveSchema,
  liveTable,
  tableName,
} from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { emptyValues } from '../../../shared/domain/record/to-record-body.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import type { FoldState } from '../../../shared/events/fold.ts';
import { fetchRows } from '../for-each-rows.ts';
import type { RecordFilter } from './buckets.ts';
import { type Difference, type Differences, isSameValue } from './difference.ts';
import { digestOf, type ExpectedRecords } from './expect-records.ts';
import type { Verification } from './verification.ts';

/** Compares the rows, the history and the mentions of these records. */
export async function compareRecords(
  verification: Verification,
  records: RecordFilter,
  expected: ExpectedRecords,
): Promise<void> {
  for (const model of verification.models)
    await compareRowsOf(verification, rowsOf(model, records, expected));
  await compareRowsOf(verification, historyOf(records, expected));
  const types = new Set(verification.models.map(({ name }) => name));
  await compareRowsOf(verification, mentionsIn(types, records, expected));
}

interface ComparedTable<Expected> {
  readonly table: string;
  /** Selects the rows of the records, and possibly others. */
  readonly select: string;
  /** Returns the key of a row, or undefined if the row is not to be compared. */
  readonly keyOf: (row: QueryResultRow) => string | undefined;
  readonly expected: ReadonlyMap<string, Expected>;
  /** Keys of expected rows that may be missing. */
  readonly optional?: ReadonlySet<string>;
  /** Returns how a row differs from its expected state. */
  readonly compare: (row: QueryResultRow, expected: Expected | undefined) => readonly Found[];
}

type Found = Omit<Difference, 'table' | 'key'>;
const unexpected: Found = { column: '*', expected: 'no row', found: 'a row' };
const missingRow: Found = { column: '*', expected: 'a row', found: 'no row' };

/** A row may be several megabytes long. */
const ROWS_AT_ONCE = 100;

/** Compares in both directions: each row must be expected, and no expected row may be missing. */
async function compareRowsOf<Expected>(
  { client, differences }: Verification,
  { table, select, keyOf, expected, optional, compare }: ComparedTable<Expected>,
): Promise<void> {
  const missing = new Map(expected);
  const take = (row: QueryResultRow): void => {
    const key = keyOf(row);
    if (key === undefined) return;
    for (const found of compare(row, missing.get(key))) differences.add({ table, key, ...found });
    missing.delete(key);
  };
  await fetchRows(client, select, (rows) => rows.forEach(take), ROWS_AT_ONCE);
  for (const key of missing.keys())
    if (optional?.has(key) !== true) differences.add({ table, key, ...missingRow });
}

function rowsOf(
  model: EntityModel,
  records: RecordFilter,
  expected: ExpectedRecords,
): ComparedTable<RecordState> {
  const { name } = model;
  const states = [...expected.records.values()].flatMap(({ state, held }) =>
    state.entityType === name && held.size === 0 ? [[state.id, state] as const] : [],
  );
  return {
    table: tableName(name),
    select: `select * from ${liveTable(name)} where ${records.sql(`'${name}'`, 'id')}`,
    keyOf: ({ id }) => (records.has(name, id) ? id : undefined),
    expected: new Map(states),
    compare: (row, state) =>
      state === undefined
        ? [unexpected]
        : compareRows(model, Object.keys(row))(Object.values(row), state),
  };
}

/** The history must contain exactly the valid events, byte for byte. */
function historyOf(records: RecordFilter, expected: ExpectedRecords): ComparedTable<string> {
  const all = [...expected.records];
  const events = all.flatMap(([key, record]) =>
    [...record.events].map(([version, digest]) => [`${key}/${version}`, digest] as const),
  );
  const held = all.flatMap(([key, record]) => [...record.held].map((one) => `${key}/${one}`));
  return {
    table: 'record_history',
    select: `select * from ${liveSchema}.record_history where ${records.sql('entity_type', 'record_id')}`,
    keyOf: ({ entity_type: type, record_id: id, version }) =>
      records.has(type, id) ? `${type}/${id}/${version}` : undefined,
    expected: new Map(events),
    optional: new Set(held),
    compare({ event }, digest) {
      const found = Buffer.isBuffer(event) ? digestOf(event) : undefined;
      return found === digest ? [] : [{ column: 'event', expected: digest, found }];
    },
  };
}

/**
 * Streams must contain exactly the links and unlinks from events of other records. Rows of removed entity types are not
 * compared, because they remain in the live tables but a rebuild omits them.
 */
function mentionsIn(
  types: ReadonlySet<string>,
  records: RecordFilter,
  expected: ExpectedRecords,
): ComparedTable<true> {
  const compared = [...expected.records].filter(
    ([, { state, held }]) => held.size === 0 && types.has(state.entityType),
  );
  const keys = compared.flatMap(([key, { mentions }]) =>
    [...mentions].map((one) => `${key}/${one}`),
  );
  const isQuarantined = (key: string) => (expected.records.get(key)?.held.size ?? 0) > 0;
  return {
    table: 'stream_mentions',
    select: `select * from ${liveSchema}.stream_mentions where ${records.sql('entity_type', 'by_id')}`,
    keyOf: ({ entity_type: type, by_id: by, record_id: id, number, version }) =>
      types.has(type) && !isQuarantined(`${type}/${by}`) && records.has(type, by)
        ? `${type}/${by}/${id}/${number}/${version}`
        : undefined,
    expected: new Map(keys.map((key) => [key, true])),
    compare: (_row, isExpected) => (isExpected ? [] : [unexpected]),
  };
}

/** `counts`: the number of live records by `Type/partition`; `optional`: keys that may have no row. */
export function compareCounts(
  verification: Verification,
  counts: ReadonlyMap<string, number>,
  optional: ReadonlySet<string>,
): Promise<void> {
  return compareWhole(verification, {
    table: 'entity_counts',
    key: ['entity_type', 'partition'],
    expected: counts,
    optional,
    toFound: (row) => Number(row['live']),
  });
}

/** `folds`: the final state of the fold, by `topic/partition`. */
export function comparePositions(
  verification: Verification,
  folds: ReadonlyMap<string, FoldState>,
): Promise<void> {
  return compareWhole(verification, {
    table: 'positions',
    key: ['topic', 'partition'],
    expected: folds,
    toFound: ({ token, sequence, sealed }) => ({ token, sequence: Number(sequence), sealed }),
  });
}

/** Both sets contain `topic/partition/offset`. */
export function compareRejected(
  differences: Differences,
  expected: ReadonlySet<string>,
  found: ReadonlySet<string>,
): void {
  const toValue = (places: ReadonlySet<string>, key: string) =>
    places.has(key) ? 'rejected' : undefined;
  for (const key of expected.symmetricDifference(found)) {
    differences.add({
      ...{ table: 'rejected_entries', key, column: '*' },
      ...{ expected: toValue(expected, key), found: toValue(found, key) },
    });
  }
}

interface WholeTable {
  readonly table: string;
  /** The columns of the table's key. */
  readonly key: readonly string[];
  readonly expected: ReadonlyMap<string, unknown>;
  /** Keys that may be missing. */
  readonly optional?: ReadonlySet<string>;
  readonly toFound: (row: QueryResultRow) => unknown;
}

async function compareWhole(
  { client, differences }: Verification,
  { table, key: columns, expected, optional, toFound }: WholeTable,
): Promise<void> {
  const { rows } = await client.query(`select * from ${liveSchema}.${table}`);
  const found = new Map(
    rows.map((row) => [columns.map((column) => row[column]).join('/'), toFound(row)]),
  );
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    if (optional?.has(key) === true && !found.has(key)) continue;
    const [should, is] = [expected.get(key), found.get(key)];
    differences.compare({ table, key, column: '*', expected: should, found: is });
  }
}

interface ComparedColumn {
  readonly column: string;
  /** The index of the column within a row. */
  readonly at: number;
  /** The value in rows that are older than the column's default, and in records whose events never set it. */
  readonly empty: AttributeValue;
  readonly expected: (state: RecordState) => AttributeValue | undefined;
}

/** Returns a function that compares a row with the state of its record. `names` are the columns of the row. */
export function compareRows(model: EntityModel, names: readonly string[]) {
  const empty = emptyValues(model);
  const toColumn = (
    column: string,
    expected: ComparedColumn['expected'],
    fallback: AttributeValue = null,
  ): ComparedColumn => ({ column, at: names.indexOf(column), empty: fallback, expected });
  const columns = [
    toColumn('version', ({ version }) => version),
    toColumn('deleted', ({ deleted }) => deleted),
    ...model.columns.map(({ name }) =>
      toColumn(columnName(name), ({ values }) => values[name], empty[name]),
    ),
  ];
  return (row: readonly unknown[], state: RecordState): readonly Found[] =>
    columns
      .filter((one) => !isSameValue(one.expected(state) ?? one.empty, row[one.at] ?? one.empty))
      .map((one) => ({
        column: one.column,
        expected: one.expected(state) ?? one.empty ?? undefined,
        found: row[one.at] ?? one.empty ?? undefined,
      }));
}
