import { orUnavailable } from '../../../shared/db/outage-of.ts';
import type { Queryable } from '../../../shared/db/pool.ts';
import { toSqlTime, webhookSchema } from '../../../shared/db/tables/read-model-names.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { toWebhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { asKnown } from '../../../shared/events/later-version.ts';
import {
  decodeWebhookBatch,
  type WebhookBatch,
} from '../../../shared/events/webhook-batch-codec.ts';
import type { EventName, HistoryRow } from './read-events.ts';

export interface BatchRow {
  readonly batch: WebhookBatch;
  readonly eventCount: number;
}

export interface AttemptRow {
  readonly batchId: string;
  readonly webhookId: string;
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly reason: string | null;
  readonly durationMs: number;
}

export const MAX_BATCHES = 100;
export const MAX_ATTEMPTS = 200;
/** Events whose batches are searched, times the webhooks of their types. */
const MAX_PAIRS = 200;
/** The batches of a webhook that are searched for one event, beginning at the time of the event. */
const SEARCHED_BATCHES = 200;
/** The clocks of the api and the dispatcher may differ. */
const CLOCK_DIFFERENCE_MS = 60_000;
const SEARCHED_MS = 86_400_000;

const columns = 'b.batch_id, b.enqueued_at, b.batch, b.events';

/** Encoded batches contain the ids of records unchanged, so only batches with the id are sent and decoded. */
const ofEvents = `select distinct on (b.batch_id) ${columns}
  from unnest($1::text[], $2::timestamp[], $3::timestamp[], $4::bytea[]) as wanted (webhook_id, since, until, record)
  cross join lateral (
    select * from (
      select * from ${webhookSchema}.batches all_batches
      where all_batches.webhook_id = wanted.webhook_id and enqueued_at >= since and enqueued_at < until
      order by enqueued_at, batch_id limit ${SEARCHED_BATCHES}
    ) near where position(wanted.record in near.batch) > 0 limit 5
  ) b
  order by b.batch_id limit ${MAX_BATCHES}`;

/**
 * Returns batches with these events that their webhooks got within a day of the event. `isCut` is true if batches may
 * be missing, because there are too many.
 */
export async function findBatchesOf(
  db: Queryable,
  rows: readonly HistoryRow[],
  directory: Directory,
): Promise<{ readonly batches: readonly BatchRow[]; readonly isCut: boolean }> {
  const webhooks = Map.groupBy(
    directory.records('Webhook').map(toWebhook),
    ({ entityType }) => entityType,
  );
  const all = rows.flatMap(({ event }) =>
    (webhooks.get(event.entityType) ?? []).map(({ id }) => ({ webhookId: id, event })),
  );
  const pairs = all.slice(0, MAX_PAIRS);
  if (pairs.length === 0) return { batches: [], isCut: false };
  const times = pairs.map(({ event }) => event.occurredAt - CLOCK_DIFFERENCE_MS);
  const found = await readBatches(db, ofEvents, [
    pairs.map(({ webhookId }) => webhookId),
    times.map(toSqlTime),
    times.map((time) => toSqlTime(time + SEARCHED_MS)),
    pairs.map(({ event }) => Buffer.from(event.recordId)),
  ]);
  const wanted = new Set(rows.map(({ event }) => keyOf(event)));
  return {
    batches: found.filter(({ batch }) => eventsIn(batch).some((one) => wanted.has(keyOf(one)))),
    isCut: all.length > pairs.length || found.length === MAX_BATCHES,
  };
}

const byId = `select ${columns} from ${webhookSchema}.batches b where b.batch_id = $1 limit 1`;

export function readBatch(db: Queryable, batchId: string): Promise<readonly BatchRow[]> {
  return readBatches(db, byId, [batchId]);
}

const ofWebhook = `select ${columns} from ${webhookSchema}.batches b where b.webhook_id = $1
  order by b.enqueued_at desc, b.batch_id desc limit $2`;

/** Returns the newest batches of a webhook. */
export function readBatchesOfWebhook(db: Queryable, webhookId: string, limit: number) {
  return readBatches(db, ofWebhook, [webhookId, limit]);
}

async function readBatches(
  db: Queryable,
  text: string,
  values: unknown[],
): Promise<readonly BatchRow[]> {
  const { rows } = await orUnavailable(
    db.query<{ readonly batch: Buffer; readonly events: number }>({ text, values }),
  );
  return rows.map(({ batch, events }) => ({
    batch: asKnown(() => decodeWebhookBatch(batch)),
    eventCount: events,
  }));
}

/** Returns the names of the events in a batch. An event name begins with the entity type. */
export function eventsIn({ event, events }: WebhookBatch): readonly EventName[] {
  const [entityType = ''] = event.split('.');
  return events.map(({ recordId, version }) => ({ entityType, recordId, version }));
}

function keyOf({ entityType, recordId, version }: EventName): string {
  return `${entityType}/${recordId}/${version}`;
}

const attempts = `select batch_id as "batchId", webhook_id as "webhookId", attempt as number,
    (extract(epoch from at) * 1000)::float8 as "atMs", outcome, status, reason, duration_ms as "durationMs"
  from ${webhookSchema}.attempts where batch_id = any($1) order by at, log_offset limit $2`;

/** Returns one attempt more than the maximum if there are more. */
export async function readAttempts(
  db: Queryable,
  batches: readonly BatchRow[],
): Promise<readonly AttemptRow[]> {
  if (batches.length === 0) return [];
  const values = [batches.map(({ batch }) => batch.batchId), MAX_ATTEMPTS + 1];
  const { rows } = await orUnavailable(db.query<AttemptRow>({ text: attempts, values }));
  return rows;
}
