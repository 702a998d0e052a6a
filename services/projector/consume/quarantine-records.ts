import type { Client } from 'pg';
import { inSavepoint, inTransaction } from '../../../shared/db/in-transaction.ts';
import {
  type QuarantinedEvent,
  type QuarantineNotice,
  quarantineChannel,
  type RecordName,
  readAllEvents,
} from '../../../shared/db/quarantine.ts';
import {
  isMissingTable,
  isRefusedByTables,
  isRefusedDefinition,
  reasonOf,
} from '../../../shared/db/refused-by-tables.ts';
import { quotedTable, quoteName } from '../../../shared/db/tables/read-model-names.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import type { TargetTables } from './batch-statement.ts';
import { collapse, type LocatedEvent } from './collapse.ts';
import { execute, type QuarantinedEntry, reject } from './execute-batch.ts';

interface Target extends TargetTables {
  /** Entity types whose table does not fit their definition, with the reason. */
  readonly unfit: ReadonlyMap<string, string>;
}

export function keyOf({
  entityType,
  recordId,
}: {
  readonly entityType: string;
  readonly recordId: string;
}): string {
  return `${entityType}/${recordId}`;
}

/** Returns the quarantined records among these events, as `entityType/id`. */
export async function findHeld(
  client: Client,
  schema: string,
  events: readonly LocatedEvent[],
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ entityType: string; recordId: string }>(
    `select distinct entity_type as "entityType", record_id as "recordId"
     from ${quoteName(schema)}.rejected_entries where record_id = any($1)`,
    [events.map(({ event }) => event.recordId)],
  );
  return new Set(rows.map(keyOf));
}

interface HeldRecord {
  readonly record: RecordName;
  readonly entries: readonly QuarantinedEntry[];
  readonly events: readonly LocatedEvent[];
}

/**
 * Quarantines a record with these events, within the transaction of their batch. Deletes the row, which no longer
 * matches the log, and stores the events in the history if the history accepts them.
 */
export async function hold(
  client: Client,
  target: Target,
  { record, entries, events }: HeldRecord,
): Promise<void> {
  const { model, schema } = target;
  const [first] = events;
  if (first === undefined) return;
  if (model(record.entityType) !== undefined) await removeRow(client, schema, record, first);
  await unlessRefused(client, () => storeHistory(client, target, events));
  await reject(client, schema, entries);
  const held: readonly QuarantinedEvent[] = entries.map(({ topic, partition, offset }) => ({
    ...record,
    topic,
    partition,
    offset: offset.toString(),
  }));
  if (!target.isSilent) await notify(client, held);
}

async function removeRow(
  client: Client,
  schema: string,
  { entityType, id }: RecordName,
  { partition }: LocatedEvent,
): Promise<void> {
  await unlessRefused(client, async () => {
    const { rows } = await client.query<{ deleted: boolean }>(
      `delete from ${quotedTable(schema, entityType)} where id = $1 returning deleted`,
      [id],
    );
    if (rows[0]?.deleted !== false) return;
    await client.query(
      `update ${quoteName(schema)}.entity_counts set live = live - 1 where entity_type = $1 and partition = $2`,
      [entityType, partition],
    );
  });
}

function storeHistory(
  client: Client,
  { model, schema }: Target,
  events: readonly LocatedEvent[],
): Promise<void> {
  return execute(client, {
    schema,
    model,
    events,
    mentioning: [],
    changes: [],
    moved: [],
    isSilent: true,
  });
}

/** Rolls back the work if Postgres rejects it, because the table may be missing or may not fit its type. */
async function unlessRefused(client: Client, work: () => Promise<void>): Promise<void> {
  try {
    await inSavepoint(client, work);
  } catch (error) {
    const isSkipped =
      isRefusedByTables(error) || isRefusedDefinition(error) || isMissingTable(error);
    if (!isSkipped) throw error;
  }
}

/**
 * Stores a quarantined record in the state after all of its events, within a transaction that locks the position of its
 * partition. Returns the reason if the tables still reject the record.
 */
export async function release(
  client: Client,
  target: Target,
  record: RecordName,
): Promise<string | undefined> {
  const { model, schema } = target;
  const events = await readAllEvents(client, schema, record);
  const at = events.find(({ heldAt }) => heldAt !== undefined)?.heldAt;
  if (at === undefined) return undefined;
  const located = events.map((one) => ({ ...one, ...(one.heldAt ?? at) }));
  const [change] = collapse(located) ?? [];
  if (change === undefined) return 'the history of the record is incomplete';
  try {
    await inSavepoint(client, () =>
      execute(client, {
        schema,
        model,
        events: located.filter(({ isInHistory }) => !isInHistory),
        mentioning: located.filter(({ heldAt }) => heldAt !== undefined),
        changes: [{ ...change, baseVersion: 0, wasLive: false }],
        moved: [],
        isSilent: true,
      }),
    );
  } catch (error) {
    if (!isRefusedByTables(error)) throw error;
    return reasonOf(error);
  }
  await client.query(
    `delete from ${quoteName(schema)}.rejected_entries where record_id = $1 and entity_type = $2`,
    [record.id, record.entityType],
  );
  if (!target.isSilent) await send(client, { released: [record] });
  return undefined;
}

/** Limited, because projection waits for the retries. */
const RETRIES_AT_ONCE = 50;

/** Returns records of a partition that were marked for a retry by an operator, or after a change to their table. */
async function findRetries(
  client: Client,
  schema: string,
  { topic, partition }: PartitionPosition,
): Promise<readonly RecordName[]> {
  const { rows } = await client.query<RecordName>(
    `select distinct entity_type as "entityType", record_id as id from ${quoteName(schema)}.rejected_entries
     where retry and record_id is not null and topic = $1 and partition = $2 limit ${RETRIES_AT_ONCE}`,
    [topic, partition],
  );
  return rows;
}

/** Retries the marked records of these partitions. Returns how many records were released. */
export async function retryQuarantined(
  client: Client,
  target: Target,
  partitions: readonly PartitionPosition[],
): Promise<number> {
  const name = quoteName(target.schema);
  let released = 0;
  for (const at of partitions) {
    for (const record of await findRetries(client, target.schema, at)) {
      const reason = await inTransaction(client, async () => {
        await client.query(
          `select 1 from ${name}.positions where topic = $1 and partition = $2 for update`,
          [at.topic, at.partition],
        );
        const refused =
          target.unfit.get(record.entityType) ?? (await release(client, target, record));
        if (refused === undefined) return undefined;
        await client.query(
          `update ${name}.rejected_entries set retry = false, reason = $3 where record_id = $1 and entity_type = $2`,
          [record.id, record.entityType, refused],
        );
        return refused;
      });
      if (reason === undefined) released += 1;
    }
  }
  return released;
}

/** Postgres limits a payload to 8,000 bytes. */
const EVENTS_PER_NOTICE = 20;

async function notify(client: Client, held: readonly QuarantinedEvent[]): Promise<void> {
  for (let from = 0; from < held.length; from += EVENTS_PER_NOTICE) {
    await send(client, { held: held.slice(from, from + EVENTS_PER_NOTICE) });
  }
}

async function send(client: Client, notice: QuarantineNotice): Promise<void> {
  await client.query('select pg_notify($1, $2)', [quarantineChannel, JSON.stringify(notice)]);
}

/** Marks all quarantined records for a retry: a starting projector may have a version that can store them. */
export async function markForRetry(client: Client, schema: string): Promise<void> {
  await client.query(
    `update ${quoteName(schema)}.rejected_entries set retry = true where record_id is not null and not retry`,
  );
}

export async function countQuarantined(client: Client, schema: string): Promise<number> {
  const { rows } = await client.query<{ records: number }>(
    `select count(distinct (entity_type, record_id))::int as records
     from ${quoteName(schema)}.rejected_entries where record_id is not null`,
  );
  return rows[0]?.records ?? 0;
}
