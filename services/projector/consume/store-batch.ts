import type { Client, QueryConfig } from 'pg';
import type { Logger } from 'pino';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import { nameStatement } from '../../../shared/db/name-statement.ts';
import { sqlStateOf } from '../../../shared/db/outage-of.ts';
import { quotedTable, quoteName } from '../../../shared/db/tables/read-model-names.ts';
import {
  batchStatement,
  type ProjectedBatch,
  positionsMoved,
  unexpectedRows,
} from './batch-statement.ts';
import { collapse, type LocatedEvent, type RowChange } from './collapse.ts';

/** An entry that reaches no table, and the reason. */
export interface QuarantinedEntry extends Omit<LocatedEvent, 'event'> {
  readonly reason: string;
  /** No process of this installation wrote it. */
  readonly isForeign?: boolean;
}

export interface FoldedBatch
  extends Pick<ProjectedBatch, 'schema' | 'isSilent' | 'events' | 'moved' | 'model'> {
  readonly rejected: readonly QuarantinedEntry[];
}

/**
 * Stores a batch as a whole or not at all. Versions are not read beforehand: the statement rolls itself back if a row
 * does not have the version that its events follow. Only then, which the fold makes impossible for entries of our own
 * writers, are versions read and impossible entries quarantined. Returns these.
 */
export async function storeBatch(
  client: Client,
  batch: FoldedBatch,
  log: Logger,
): Promise<readonly QuarantinedEntry[]> {
  await quarantine(client, batch.schema, batch.rejected);
  const changes = collapse(batch.events);
  if (changes !== undefined && (await fits(client, batch, changes))) return [];
  return storePossible(client, batch, log);
}

/** False if a row does not have the version that its events follow; then nothing is stored. */
async function fits(
  client: Client,
  batch: FoldedBatch,
  changes: readonly RowChange[],
): Promise<boolean> {
  try {
    await execute(client, { ...batch, changes });
    return true;
  } catch (error) {
    if (unexpectedRows.has(sqlStateOf(error))) return false;
    throw error;
  }
}

/** Quarantines impossible entries and stores the rest, in one transaction under a lock that excludes other projectors. */
async function storePossible(
  client: Client,
  batch: FoldedBatch,
  log: Logger,
): Promise<readonly QuarantinedEntry[]> {
  const parked = await inTransaction(client, async () => {
    await lockPositions(client, batch);
    const { possible, impossible } = await splitByVersion(client, batch);
    await quarantine(client, batch.schema, impossible);
    await execute(client, { ...batch, events: possible, changes: collapse(possible) ?? [] });
    return impossible;
  });
  log.error({ rejected: parked.length }, 'entries with impossible versions parked');
  return parked;
}

/** Waits for a projector that is storing the same batch, so that the check for stored batches is reliable. */
async function lockPositions(client: Client, { schema, moved }: FoldedBatch): Promise<void> {
  await client.query(
    `select 1 from ${quoteName(schema)}.positions where topic = any($1) order by topic, partition for update`,
    [moved.map(({ from }) => from.topic)],
  );
  for (const { from } of moved) {
    await client.query(
      `select ${quoteName(schema)}.expect_rows(count(*), 1, '${positionsMoved}')
       from ${quoteName(schema)}.positions where topic = $1 and partition = $2 and next_offset = $3`,
      [from.topic, from.partition, from.offset.toString()],
    );
  }
}

const MAX_PREPARED = 300;
const preparedBy = new WeakMap<Client, Set<string>>();

/**
 * Executes a batch. The statement's text depends on the columns that change, not on the number of rows, so the same few
 * shapes recur. Planning one costs about a millisecond, so each connection prepares them.
 */
export async function execute(client: Client, batch: ProjectedBatch): Promise<void> {
  const { text, values } = batchStatement(batch);
  const { name } = nameStatement(text);
  const prepared = preparedBy.get(client) ?? new Set<string>();
  preparedBy.set(client, prepared);
  if (prepared.size < MAX_PREPARED) prepared.add(name);
  await run(client, { ...(prepared.has(name) ? { name } : {}), text, values });
}

/**
 * Like `client.query(config)`, which would add a function to its query as a property: V8 takes it for a method and
 * keeps it, and with it the whole batch, until the next full garbage collection. A query that is passed in does not
 * have this problem.
 */
function run(client: Client, config: QueryConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(config, (error) => (error ? reject(error) : resolve()));
  });
}

async function splitByVersion(client: Client, batch: FoldedBatch) {
  const versions = new Map<string, number>();
  for (const [entityType, ofType] of Map.groupBy(batch.events, ({ event }) => event.entityType)) {
    if (batch.model(entityType) === undefined) continue;
    const { rows } = await client.query<{ id: string; version: number }>(
      `select id, version from ${quotedTable(batch.schema, entityType)} where id = any($1)`,
      [ofType.map(({ event }) => event.recordId)],
    );
    for (const { id, version } of rows) versions.set(`${entityType}/${id}`, version);
  }
  const possible: LocatedEvent[] = [];
  const impossible: QuarantinedEntry[] = [];
  for (const located of batch.events) {
    const { event } = located;
    const key = `${event.entityType}/${event.recordId}`;
    const expected = (versions.get(key) ?? 0) + 1;
    if (event.version === expected || batch.model(event.entityType) === undefined) {
      versions.set(key, event.version);
      possible.push(located);
    } else {
      const reason = `version ${event.version} where ${expected} is next`;
      impossible.push({ ...located, reason });
    }
  }
  return { possible, impossible };
}

export async function quarantine(
  client: Client,
  schema: string,
  entries: readonly QuarantinedEntry[],
): Promise<void> {
  for (const { topic, partition, offset, reason, bytes } of entries) {
    await client.query(
      `insert into ${quoteName(schema)}.rejected_entries (topic, partition, log_offset, reason, entry)
       values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [topic, partition, offset.toString(), reason, bytes],
    );
  }
}

/** Inserts a row per partition, at its beginning if it is new. */
export async function ensurePositions(
  client: Client,
  schema: string,
  topics: readonly { readonly topic: string; readonly partitions: number }[],
): Promise<void> {
  for (const { topic, partitions } of topics) {
    await client.query(
      `insert into ${quoteName(schema)}.positions (topic, partition, next_offset, token, sequence)
       select $1, partition, 0, null, 0 from generate_series(0, $2::int - 1) partition
       on conflict do nothing`,
      [topic, partitions],
    );
  }
}
