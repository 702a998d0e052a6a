import type { Client, ClientBase } from 'pg';
import { nameSome } from '../../../services/system/doctor/finding.ts';
import { findTables } from '../../../shared/db/find-tables.ts';
import { liveSchema, quotedTable, tableName } from '../../../shared/db/tables/read-model-names.ts';
import { entityDefinitionType } from '../../../shared/domain/directory/directory.ts';
import type { EntityDefinition } from '../../../shared/domain/entity/definition/entity-definition.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { decodeReadable } from '../../../shared/events/decode-readable.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { forEachRows } from '../for-each-rows.ts';
import { createWorkTable, workSchema } from './work-schema.ts';

interface HistoryRow {
  readonly entity_type: string;
  readonly record_id: string;
  readonly version: number;
  readonly event: Buffer;
}

/** In the order of the table's columns. */
const columns = [
  ...(['topic', 'partition', 'token', 'sequence', 'at'] as const),
  ...(['entity_type', 'record_id', 'version', 'left_out'] as const),
];

const stockLogs: ReadonlyMap<string, EntityDefinition['log']> = new Map(
  stockDefinitions.map(({ name, log }) => [name, log]),
);

/**
 * Indexes every event in the history by its partition, its writer's token and its number in that writer's sequence. The
 * event's bytes contain these values. The table is unlogged, because a repeated run recreates it. Returns the names of
 * all entity types. Throws OperatorError for events that cannot be decoded, unless their records are excluded.
 */
export async function indexHistory(
  client: Client,
  topics: { readonly directory: string; readonly records: string },
  {
    recordPartitions,
    without,
    onProgress,
  }: {
    readonly recordPartitions: number;
    /** The ids of records to exclude. Their rows are flagged, or skipped if they cannot be decoded. */
    readonly without: ReadonlySet<string>;
    readonly onProgress: (rows: number) => void;
  },
): Promise<readonly string[]> {
  await createWorkTable(
    client,
    'entries',
    `topic text not null, partition integer not null, token text not null, sequence bigint not null, at bigint not null,
     entity_type text not null, record_id text not null, version integer not null, left_out boolean not null`,
    'unlogged',
  );
  const definedTypes = await findDefinedTypes(client);
  // Records of types without a definition, such as logins and replays, are in the directory.
  const isOfRecords = (type: string) =>
    (stockLogs.get(type) ?? (definedTypes.has(type) ? 'records' : 'directory')) === 'records';
  const placeOf = ({ entity_type: type, record_id: id }: HistoryRow) =>
    isOfRecords(type)
      ? { topic: topics.records, partition: partitionOf(id, recordPartitions) }
      : { topic: topics.directory, partition: 0 };
  const unreadable = new Set<string>();
  const locate = (row: HistoryRow) => {
    const position = positionOf(row);
    const isLeftOut = without.has(row.record_id);
    if (position !== undefined)
      return [{ ...row, ...placeOf(row), ...position, left_out: isLeftOut }];
    if (!isLeftOut) unreadable.add(`${row.entity_type} ${row.record_id}`);
    return [];
  };
  await forEachRows<HistoryRow>(
    client,
    `select entity_type, record_id, version, event from ${liveSchema}.record_history`,
    async (rows) => {
      const indexed = rows.flatMap(locate);
      await client.query(
        `insert into ${workSchema}.entries
         select * from unnest($1::text[], $2::int[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::int[], $9::boolean[])`,
        columns.map((name) => indexed.map((row) => row[name])),
      );
      onProgress(rows.length);
    },
  );
  await client.query(`create index on ${workSchema}.entries (topic, partition, token, sequence);
    create index on ${workSchema}.entries (record_id, entity_type, version);
    analyze ${workSchema}.entries`);
  if (unreadable.size > 0)
    throw refuseRecords('has events that this version cannot read', [...unreadable]);
  return [...new Set([...stockLogs.keys(), ...definedTypes])];
}

/**
 * Returns the names of all types that administrators have ever created, and of all shipped types that they have
 * changed.
 */
async function findDefinedTypes(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select record_id as name from ${liveSchema}.record_history where entity_type = $1`,
    [entityDefinitionType],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Returns undefined for bytes that are not an event written by this version or an earlier one. */
function positionOf({ event }: HistoryRow) {
  const entry = decodeReadable({ value: event, proof: 'none' }, decodeLogEntry);
  if (entry?.kind !== 'event') return undefined;
  const { token, sequence, occurredAt } = entry.event;
  return { token, sequence, at: occurredAt };
}

/** The value of `--without` for missing events whose record is unknown. */
export const untraceable = 'unknown';

interface Incomplete {
  readonly type: string;
  readonly id: string;
  readonly missing: number;
  readonly isLeftOut: boolean;
}

/**
 * Throws OperatorError with a list of the records whose history lacks a version, unless they are excluded.
 * `entityTypes` contains all types that may have a table. Returns the number of missing events of excluded records.
 */
export async function requireWholeHistory(
  client: ClientBase,
  { entityTypes, without }: { entityTypes: readonly string[]; without: ReadonlySet<string> },
): Promise<number> {
  const found = [...(await findGaps(client)), ...(await findMissingEnds(client, entityTypes))].map(
    (each) => ({ ...each, isLeftOut: without.has(each.id) }),
  );
  const refused = found.filter(({ isLeftOut }) => !isLeftOut);
  if (refused.length > 0) throw refuseRecords('lacks events', nameRecords(refused));
  return found.reduce((sum, { missing }) => sum + missing, 0);
}

function refuseRecords(what: string, records: readonly string[]): OperatorError {
  const ids = records.map((record) => record.split(' ')[1]);
  return new OperatorError(
    `The log cannot be written, because the history in Postgres ${what} of ${nameSome(records)}. Restore a backup of Postgres or of Kafka, or exclude ${records.length > 1 ? 'these records' : 'this record'}: --without ${ids.slice(0, 5).join(' --without ')}${ids.length > 5 ? ' …' : ''}.`,
  );
}

const nameRecords = (records: readonly Incomplete[]): readonly string[] => [
  ...new Set(records.map(({ type, id }) => `${type} ${id}`)),
];

type Found = Omit<Incomplete, 'isLeftOut'>;

/** Finds gaps in the versions of a record, which are 1, 2, 3 and so on. */
async function findGaps(client: ClientBase): Promise<readonly Found[]> {
  const { rows } = await client.query<Found>(
    `select entity_type as type, record_id as id, (max(version) - count(distinct version))::int as missing
     from ${workSchema}.entries group by 1, 2 having max(version) <> count(distinct version)
     order by 1, 2`,
  );
  return rows;
}

/** Finds records whose newest versions are in the table of their type but not in the history. */
async function findMissingEnds(
  client: ClientBase,
  entityTypes: readonly string[],
): Promise<readonly Found[]> {
  const present = await findTables(client, liveSchema);
  const found: Found[] = [];
  for (const type of entityTypes) {
    if (!present.has(tableName(type))) continue;
    const { rows } = await client.query<Found>(
      `select $1::text as type, id, (version - known)::int as missing
       from ${quotedTable(liveSchema, type)} t cross join lateral (
         select coalesce(max(e.version), 0) as known from ${workSchema}.entries e
         where e.record_id = t.id and e.entity_type = $1) h
       where version > known order by id`,
      [type],
    );
    found.push(...rows);
  }
  return found;
}
