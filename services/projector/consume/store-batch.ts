import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { sqlStateOf } from '../../../shared/db/outage-of.ts';
import { quotedTable, quoteName } from '../../../shared/db/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import {
  type BatchStatement,
  batchStatement,
  type MovedPosition,
  rowsDiffer,
} from './batch-statement.ts';
import { collapse, type LocatedEvent } from './collapse.ts';

/** An entry that reaches no table, and why. */
export interface RejectedEntry {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly bytes: Buffer;
  readonly reason: string;
}

export interface FoldedBatch {
  readonly schema: string;
  readonly events: readonly LocatedEvent[];
  readonly rejected: readonly RejectedEntry[];
  readonly moved: readonly MovedPosition[];
  readonly model: (entityType: string) => EntityModel | undefined;
}

/**
 * Stores a batch, all of it or nothing. Versions are not read beforehand: the statement undoes itself when a row does
 * not have the version that its events build on. Only then, which the fold makes impossible for entries of our own
 * writers, are versions read and the impossible entries parked.
 */
export async function storeBatch(client: Client, batch: FoldedBatch, log: Logger): Promise<void> {
  await park(client, batch.schema, batch.rejected);
  try {
    await execute(client, batch, batch.events);
  } catch (error) {
    if (sqlStateOf(error) !== rowsDiffer) throw error;
    const { possible, impossible } = await splitByVersion(client, batch);
    log.error({ rejected: impossible.length }, 'entries with impossible versions parked');
    await park(client, batch.schema, impossible);
    await execute(client, batch, possible);
  }
}

function toStatement(batch: FoldedBatch, events: readonly LocatedEvent[]): BatchStatement {
  return batchStatement({
    schema: batch.schema,
    events,
    changes: collapse(events),
    moved: batch.moved,
    model: batch.model,
  });
}

const MAX_PREPARED_EVENTS = 4;

/**
 * Small batches come again and again in the same few shapes: those statements are prepared once per connection. For
 * large ones planning costs nothing beside the work, and their shapes are many.
 */
async function execute(
  client: Client,
  batch: FoldedBatch,
  events: readonly LocatedEvent[],
): Promise<void> {
  const { text, values } = toStatement(batch, events);
  const name = createHash('md5').update(text).digest('hex');
  const prepared = events.length <= MAX_PREPARED_EVENTS ? { name } : {};
  await client.query({ ...prepared, text, values: [...values] });
}

async function splitByVersion(client: Client, batch: FoldedBatch) {
  const versions = new Map<string, number>();
  for (const entityType of new Set(batch.events.map(({ event }) => event.entityType))) {
    if (batch.model(entityType) === undefined) continue;
    const ids = batch.events.filter(({ event }) => event.entityType === entityType);
    const { rows } = await client.query<{ id: string; version: number }>(
      `select id, version from ${quotedTable(batch.schema, entityType)} where id = any($1)`,
      [ids.map(({ event }) => event.recordId)],
    );
    for (const { id, version } of rows) versions.set(`${entityType}/${id}`, version);
  }
  const possible: LocatedEvent[] = [];
  const impossible: RejectedEntry[] = [];
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

async function park(
  client: Client,
  schema: string,
  entries: readonly RejectedEntry[],
): Promise<void> {
  for (const { topic, partition, offset, reason, bytes } of entries) {
    await client.query(
      `insert into ${quoteName(schema)}.rejected_entries (topic, partition, log_offset, reason, entry)
       values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [topic, partition, offset.toString(), reason, bytes],
    );
  }
}

/** A row per partition, at its beginning if it is new. */
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
