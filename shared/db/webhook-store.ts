import { isStorableText } from '../domain/field/types/text/read-text.ts';
import { withSequences } from '../events/event-sequences.ts';
import { notReadable } from '../events/events-for-receiver.ts';
import { asKnown } from '../events/later-version.ts';
import {
  decodeWebhookAttempt,
  droppedByOperator,
  type WebhookAttempt,
} from '../events/webhook-attempt-codec.ts';
import { decodeWebhookBatch, type WebhookBatch } from '../events/webhook-batch-codec.ts';
import { orUnavailable } from './outage-of.ts';
import type { Queryable } from './pool.ts';
import { fitPage } from './sql/fit-page.ts';
import { toSqlTime, webhookSchema } from './tables/read-model-names.ts';

/** `waiting`: not attempted yet, or waiting for the next attempt. */
export const deliveryStates = ['waiting', 'delivered', 'dead', 'dropped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** A webhook's batch, and the outcome of the batch. Times are `YYYY-MM-DD HH:MM:SS.mmm` in UTC. */
export interface Delivery {
  readonly id: string;
  readonly state: DeliveryState;
  readonly enqueuedAt: string;
  /** The number of events, excluding hidden events. */
  readonly events: number;
  /** The number of events that the receiver was not allowed to read when the batch was last sent or dropped. */
  readonly hidden: number;
  readonly attempts: number;
  readonly lastAttemptAt: string | null;
  readonly lastStatus: number | null;
  readonly lastReason: string | null;
  readonly replayId: string | null;
}

/** Times in milliseconds since 1970: `from` is inclusive, `to` exclusive. */
interface WebhookLogFilter<State> {
  readonly webhookId: string;
  readonly state?: State | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly offset: number;
  readonly limit: number;
}

const isFinal = `outcome in ('delivered', 'dead', 'dropped')`;
/**
 * A batch that was enqueued again is waiting until it has ended once for each time that it was enqueued. A drop by an
 * operator does not count, because the batch had ended before.
 */
const stateOf = `case when last.${isFinal} and (b.times_enqueued = 1 or b.times_enqueued <= (
    select count(*) from ${webhookSchema}.attempts done where done.batch_id = b.batch_id
      and done.${isFinal} and done.reason is distinct from '${droppedByOperator}'
  )) then last.outcome else 'waiting' end`;
const ofBatches = `from ${webhookSchema}.batches b
  left join lateral (
    select a.outcome, a.at, a.status, a.reason, a.attempt, a.events from ${webhookSchema}.attempts a
    where a.batch_id = b.batch_id order by a.log_offset desc limit 1
  ) last on true`;

const hidden = `case when last.outcome = 'delivered' then b.events - last.events
  when last.reason = '${notReadable}' then b.events else 0 end`;

const selectDeliveries = `select b.batch_id as id, ${stateOf} as state, b.enqueued_at as "enqueuedAt",
    b.events - (${hidden}) as events, ${hidden} as hidden, b.replay_id as "replayId", last.at as "lastAttemptAt", last.status as "lastStatus",
    last.reason as "lastReason",
    (select coalesce(max(a.attempt), 0) from ${webhookSchema}.attempts a where a.batch_id = b.batch_id) as attempts`;

/** `sent` is the number of events in the last request; null if no request was sent. */
const ofBatchesWithRequest = `${ofBatches} left join lateral (
    select a.events as sent from ${webhookSchema}.attempts a
    where a.batch_id = b.batch_id and a.attempt > 0 order by a.log_offset desc limit 1
  ) request on true`;

/**
 * The sequence numbers of the batch's events, from the last attempt that recorded them. The column is missing after a
 * projector of an earlier version, which `to_jsonb` tolerates.
 */
const sequences = `(select numbered from ${webhookSchema}.attempts a,
    lateral (select to_jsonb(a) ->> 'sequences' as numbered) of_attempt
    where a.batch_id = b.batch_id and numbered is not null order by a.log_offset desc limit 1) as sequences`;

const ofFilter = `
  where b.webhook_id = $1 and ($2::timestamp is null or b.enqueued_at >= $2)
    and ($3::timestamp is null or b.enqueued_at < $3) and ($4::text is null or ${stateOf} = $4)
  order by b.enqueued_at desc, b.batch_id desc limit $5 offset $6`;

/** Newest first. */
export async function listDeliveries(
  db: Queryable,
  filter: WebhookLogFilter<DeliveryState>,
): Promise<readonly Delivery[]> {
  const text = `${selectDeliveries} ${ofBatches} ${ofFilter}`;
  const { rows } = await orUnavailable(db.query<Delivery>({ text, values: toValues(filter) }));
  return rows;
}

/**
 * Like `listDeliveries`, but for readers who must not learn about events that they cannot read: `events` counts the
 * events in the last request. If no request was sent, `batch` is set, and the caller has to count the reader's events
 * in it.
 */
export async function listSentDeliveries(
  db: Queryable,
  filter: WebhookLogFilter<DeliveryState>,
): Promise<readonly SentDelivery[]> {
  const text = `${selectDeliveries}, sent, case when sent is null then b.batch end as batch
    ${ofBatchesWithRequest} ${ofFilter}`;
  const { rows } = await orUnavailable(db.query<SentRow>({ text, values: toValues(filter) }));
  return rows.map(toSentDelivery);
}

export type SentDelivery = Omit<Delivery, 'hidden'> & { readonly batch?: WebhookBatch };

interface SentRow extends Delivery {
  readonly sent: number | null;
  readonly batch: Buffer | null;
}

function toSentDelivery({ hidden: _, sent, batch, ...delivery }: SentRow): SentDelivery {
  if (batch === null) return { ...delivery, events: sent ?? 0 };
  return { ...delivery, batch: asKnown(() => decodeWebhookBatch(batch)) };
}

/**
 * Returns a delivery with its batch as enqueued, plus the numbers of its attempts; undefined if the webhook has no such
 * batch, or no longer has it.
 */
export async function findDelivery(
  db: Queryable,
  { webhookId, id }: { readonly webhookId: string; readonly id: string },
): Promise<FoundDelivery | undefined> {
  if (!isStorableText(id)) return undefined;
  const text = `${selectDeliveries}, sent, b.batch, ${sequences} ${ofBatchesWithRequest}
    where b.webhook_id = $1 and b.batch_id = $2`;
  const values = [webhookId, id];
  const found = await orUnavailable(
    db.query<Delivery & NumberedRow & { readonly sent: number | null }>({ text, values }),
  );
  const [row] = found.rows;
  if (row === undefined) return undefined;
  const { batch, sequences: _, sent, ...delivery } = row;
  return { delivery, batch: toNumberedBatch(row), sent };
}

interface FoundDelivery {
  readonly delivery: Delivery;
  readonly batch: WebhookBatch;
  /** The number of events in the last request; null if no request was sent. */
  readonly sent: number | null;
}

/** Newest first. */
export async function listAttempts(
  db: Queryable,
  filter: WebhookLogFilter<WebhookAttempt['outcome']> & {
    readonly batchId?: string | undefined;
    /** Excludes entries without a request, because they count events that were not sent. */
    readonly onlyRequests?: boolean | undefined;
  },
): Promise<readonly WebhookAttempt[]> {
  if (!isStorableText(filter.batchId ?? '')) return [];
  const text = `select entry from ${webhookSchema}.attempts
    where webhook_id = $1 and ($2::timestamp is null or at >= $2) and ($3::timestamp is null or at < $3)
      and ($4::text is null or outcome = $4) and ($7::text is null or batch_id = $7)
      and (attempt > 0 or not $8)
    order by at desc, log_offset desc limit $5 offset $6`;
  const values = [...toValues(filter), filter.batchId ?? null, filter.onlyRequests === true];
  const { rows } = await orUnavailable(db.query<{ readonly entry: Buffer }>({ text, values }));
  return rows.map(({ entry }) => asKnown(() => decodeWebhookAttempt(entry)));
}

export interface BatchFilter {
  readonly webhookId: string;
  /** Enqueued at this time or later, in milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly state?: DeliveryState | undefined;
  /** Returns only batches after this batch. */
  readonly after?: { readonly batchId: string; readonly enqueuedAt: number } | undefined;
  readonly limit: number;
}

/** Returns a webhook's batches, oldest first, as many as fit in a page. The page is empty only after the last batch. */
export async function listBatches(
  db: Queryable,
  filter: BatchFilter,
): Promise<readonly WebhookBatch[]> {
  const { webhookId, since, state, after, limit } = filter;
  const text = fitPage({
    rows: `select b.batch_id, b.enqueued_at, b.batch, ${sequences} ${ofBatches}
      where b.webhook_id = $1 and ($2::timestamp is null or b.enqueued_at >= $2)
        and ($3::text is null or ${stateOf} = $3)
        and ($4::timestamp is null or (b.enqueued_at, b.batch_id) > ($4, $5::text))
      order by b.enqueued_at, b.batch_id limit $6`,
    bytes: 'octet_length(batch)',
    order: 'enqueued_at, batch_id',
  });
  const values = [
    webhookId,
    since === undefined ? null : toSqlTime(since),
    state ?? null,
    after === undefined ? null : toSqlTime(after.enqueuedAt),
    after?.batchId ?? null,
    limit,
  ];
  const { rows } = await orUnavailable(db.query<NumberedRow>({ text, values }));
  return rows.map(toNumberedBatch);
}

interface NumberedRow {
  readonly batch: Buffer;
  readonly sequences: string | null;
}

function toNumberedBatch({ batch, sequences: text }: NumberedRow): WebhookBatch {
  return withSequences(
    asKnown(() => decodeWebhookBatch(batch)),
    text,
  );
}

function toValues({ webhookId, from, to, state, limit, offset }: WebhookLogFilter<string>) {
  return [
    webhookId,
    from === undefined ? null : toSqlTime(from),
    to === undefined ? null : toSqlTime(to),
    state ?? null,
    limit,
    offset,
  ];
}
