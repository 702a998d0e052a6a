/**
 * Stores a batch that Postgres rejected as a whole, in one transaction:
 *
 *   lock the positions ─▶ reject impossible versions ─▶ store records by bisection, which finds the rejected ones
 *     ─▶ quarantine each rejected record ─▶ move the positions
 *
 * A record is at fault only if Postgres accepts an empty record of the same type. Otherwise the tables are at fault,
 * and the projector stops and retries, because quarantining every record would hide the problem.
 */
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { inSavepoint, inTransaction } from '../../../shared/db/in-transaction.ts';
import type { RecordName } from '../../../shared/db/quarantine.ts';
import { isRefusedByTables, reasonOf } from '../../../shared/db/refused-by-tables.ts';
import { quotedTable, quoteName } from '../../../shared/db/tables/read-model-names.ts';
import type { MovedPosition } from './batch-statement.ts';
import { positionsMoved } from './batch-statement.ts';
import { collapse, type LocatedEvent } from './collapse.ts';
import { execute, type FoldedBatch, type QuarantinedEntry, reject } from './execute-batch.ts';
import { findHeld, hold, keyOf, release } from './quarantine-records.ts';

/** All events of one record in a batch, in order. */
type RecordEvents = readonly [LocatedEvent, ...LocatedEvent[]];

/** Returns the entries that were not stored. */
export async function storeCarefully(
  client: Client,
  batch: FoldedBatch,
  log: Logger,
): Promise<readonly QuarantinedEntry[]> {
  const set = await inTransaction(client, async () => {
    await lockPositions(client, batch);
    const { possible, impossible, held } = await splitByVersion(client, batch);
    await reject(client, batch.schema, impossible);
    const refused = [...held, ...(await storeInHalves(client, batch, groupByRecord(possible)))];
    const quarantined = await holdAll(client, batch, refused);
    await execute(client, { ...batch, events: [], changes: [] });
    return { impossible, quarantined };
  });
  const rejected = [...set.impossible, ...set.quarantined];
  log.error({ rejected: rejected.length }, 'entries rejected');
  return rejected;
}

/**
 * Locks the positions, and thus waits for any other projector that is storing the same batch. Checking the positions is
 * reliable only then.
 */
async function lockPositions(
  client: Client,
  { schema, moved }: { readonly schema: string; readonly moved: readonly MovedPosition[] },
): Promise<void> {
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

interface Refused {
  readonly events: RecordEvents;
  readonly reason: string;
  /** True if the record was already quarantined: its new events may bring it into a state that the tables accept. */
  readonly canRelease: boolean;
}

interface SplitBatch {
  readonly possible: readonly LocatedEvent[];
  readonly impossible: readonly QuarantinedEntry[];
  /** Events of records that are quarantined already, or whose type's table does not fit. */
  readonly held: readonly Refused[];
}

async function splitByVersion(client: Client, batch: FoldedBatch): Promise<SplitBatch> {
  const { model, schema, unfit } = batch;
  const versions = await loadVersions(client, batch);
  const held = await findHeld(client, schema, batch.events);
  const possible: LocatedEvent[] = [];
  const impossible: QuarantinedEntry[] = [];
  const refused: LocatedEvent[] = [];
  for (const located of batch.events) {
    const { event } = located;
    const key = keyOf(event);
    const expected = (versions.get(key) ?? 0) + 1;
    if (held.has(key) || unfit.has(event.entityType)) refused.push(located);
    else if (event.version === expected || model(event.entityType) === undefined) {
      versions.set(key, event.version);
      possible.push(located);
    } else {
      const reason = `version ${event.version} instead of ${expected}`;
      impossible.push({ ...located, reason });
    }
  }
  const toRefused = (events: RecordEvents): Refused => {
    const reason = unfit.get(events[0].event.entityType);
    return reason === undefined
      ? { events, reason: 'an earlier event of the record is quarantined', canRelease: true }
      : { events, reason, canRelease: false };
  };
  return { possible, impossible, held: groupByRecord(refused).map(toRefused) };
}

async function loadVersions(
  client: Client,
  { events, model, schema, unfit }: FoldedBatch,
): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  for (const [entityType, ofType] of Map.groupBy(events, ({ event }) => event.entityType)) {
    if (model(entityType) === undefined || unfit.has(entityType)) continue;
    const { rows } = await client.query<{ id: string; version: number }>(
      `select id, version from ${quotedTable(schema, entityType)} where id = any($1)`,
      [ofType.map(({ event }) => event.recordId)],
    );
    for (const { id, version } of rows) versions.set(`${entityType}/${id}`, version);
  }
  return versions;
}

function groupByRecord(events: readonly LocatedEvent[]): readonly RecordEvents[] {
  const groups = Map.groupBy(events, ({ event }) => keyOf(event));
  return [...groups.values()].flatMap(([first, ...rest]) => (first ? [[first, ...rest]] : []));
}

/** Stores the records that the tables accept, without moving positions, and returns the others. */
async function storeInHalves(
  client: Client,
  batch: FoldedBatch,
  records: readonly RecordEvents[],
): Promise<readonly Refused[]> {
  const [first] = records;
  if (first === undefined) return [];
  try {
    await inSavepoint(client, () => storeEvents(client, batch, records.flat()));
    return [];
  } catch (error) {
    if (!isRefusedByTables(error)) throw error;
    if (records.length === 1) {
      await requireSoundTables(client, batch, first[0], error);
      return [{ events: first, reason: reasonOf(error), canRelease: false }];
    }
    const half = records.length >> 1;
    return [
      ...(await storeInHalves(client, batch, records.slice(0, half))),
      ...(await storeInHalves(client, batch, records.slice(half))),
    ];
  }
}

function storeEvents(
  client: Client,
  { model, schema }: FoldedBatch,
  events: readonly LocatedEvent[],
): Promise<void> {
  const changes = collapse(events) ?? [];
  return execute(client, { schema, model, events, changes, moved: [], isSilent: true });
}

/** Thrown if the tables reject every record of a type. */
export class UnsoundTables extends Error {
  override readonly name = 'UnsoundTables';

  constructor({ topic, partition, offset, event }: LocatedEvent, cause: unknown) {
    const entry = `${topic}/${partition} offset ${offset}`;
    super(`the tables reject every ${event.entityType}: ${reasonOf(cause)}, at ${entry}`, {
      cause,
    });
  }
}

const PROBE_ID = 'annals-probe';

class ProbeStored extends Error {}

/** Throws UnsoundTables if the tables also reject an empty record of this type. */
async function requireSoundTables(
  client: Client,
  batch: FoldedBatch,
  refused: LocatedEvent,
  error: unknown,
): Promise<void> {
  const event = {
    ...refused.event,
    eventId: PROBE_ID,
    recordId: PROBE_ID,
    version: 1,
    type: 'Created' as const,
    occurredAt: Date.now(),
    actorId: PROBE_ID,
    commandId: null,
    changes: [],
  };
  try {
    await inSavepoint(client, async () => {
      await storeEvents(client, batch, [{ ...refused, event, bytes: Buffer.alloc(0) }]);
      throw new ProbeStored();
    });
  } catch (probed) {
    if (!(probed instanceof ProbeStored)) throw new UnsoundTables(refused, error);
  }
}

/**
 * Quarantines the records, except for quarantined records that the tables accept after their new events: these are
 * released.
 */
async function holdAll(
  client: Client,
  batch: FoldedBatch,
  refused: readonly Refused[],
): Promise<readonly QuarantinedEntry[]> {
  const quarantined: QuarantinedEntry[] = [];
  for (const { events, reason, canRelease } of refused) {
    const record: RecordName = {
      entityType: events[0].event.entityType,
      id: events[0].event.recordId,
    };
    const entries = events.map((located) => ({ ...located, reason, record }));
    await hold(client, batch, { record, entries, events });
    const isReleased = canRelease && (await release(client, batch, record)) === undefined;
    if (!isReleased) quarantined.push(...entries);
  }
  return quarantined;
}
