import type { Client } from 'pg';
import { toBinaryArray } from '../../../shared/db/sql/binary-array.ts';
import { toSqlTime, webhookSchema } from '../../../shared/db/tables/read-model-names.ts';
import { decodeReadable } from '../../../shared/events/decode-readable.ts';
import { readSequences, sequencesHeader } from '../../../shared/events/event-sequences.ts';
import {
  decodeWebhookAttempt,
  type WebhookAttempt,
} from '../../../shared/events/webhook-attempt-codec.ts';
import {
  decodeWebhookBatch,
  type WebhookBatch,
} from '../../../shared/events/webhook-batch-codec.ts';
import type { ReadMessage, ReadPartition } from '../../../shared/kafka/read-partitions.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { ensureDays } from './attempt-tables.ts';

interface StoreContext {
  readonly topics: TopicNames;
  /** Milliseconds since 1970. Older rows are not stored, because they would be dropped. */
  readonly keptSince: number;
}

interface Located<Entry> {
  readonly partition: number;
  readonly offset: bigint;
  readonly bytes: Buffer;
  readonly headers: ReadMessage['headers'];
  readonly entry: Entry;
}

/** Stores batches and attempts. The caller moves the positions in the same transaction. */
export async function storeAttempts(
  client: Client,
  read: readonly ReadPartition[],
  { topics, keptSince }: StoreContext,
): Promise<void> {
  const of = (topic: string) => read.filter((found) => found.topic === topic);
  const batches = of(topics.webhookBatches)
    .flatMap((found) => decodeAll(found, decodeWebhookBatch))
    .filter(({ entry }) => entry.enqueuedAt >= keptSince);
  const attempts = of(topics.webhookAttempts)
    .flatMap((found) => decodeAll(found, decodeWebhookAttempt))
    .filter(({ entry }) => entry.at >= keptSince);
  const enqueuedAt = batches.map(({ entry }) => entry.enqueuedAt);
  await ensureDays(client, 'batches', enqueuedAt);
  const attemptedAt = attempts.map(({ entry }) => entry.at);
  await ensureDays(client, 'attempts', attemptedAt);
  await insertBatches(client, batches);
  await insertAttempts(client, attempts);
}

type Batches = readonly Located<WebhookBatch>[];

async function insertBatches(client: Client, enqueued: Batches): Promise<void> {
  if (enqueued.length === 0) return;
  const times = Map.groupBy(enqueued, ({ entry }) => entry.batchId);
  const batches = [...times.values()].flatMap(([first]) => first ?? []);
  await client.query(
    `insert into ${webhookSchema}.batches as known
       (batch_id, webhook_id, enqueued_at, events, replay_id, batch, times_enqueued)
     select * from unnest($1::text[], $2::text[], $3::timestamp[], $4::int[], $5::text[], $6::bytea[], $7::int[])
     on conflict (batch_id, enqueued_at)
       do update set times_enqueued = known.times_enqueued + excluded.times_enqueued`,
    [
      batches.map(({ entry }) => entry.batchId),
      batches.map(({ entry }) => entry.webhookId),
      batches.map(({ entry }) => toSqlTime(entry.enqueuedAt)),
      batches.map(({ entry }) => entry.events.length),
      batches.map(({ entry }) => entry.replayId ?? null),
      bytesOf(batches),
      batches.map(({ entry }) => times.get(entry.batchId)?.length ?? 1),
    ],
  );
}

type Attempts = readonly Located<WebhookAttempt>[];

async function insertAttempts(client: Client, attempts: Attempts): Promise<void> {
  if (attempts.length === 0) return;
  await client.query(
    `insert into ${webhookSchema}.attempts (log_partition, log_offset, batch_id, webhook_id, attempt, at,
       outcome, status, reason, duration_ms, events, entry, sequences)
     select * from unnest($1::int[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::timestamp[],
       $7::text[], $8::int[], $9::text[], $10::int[], $11::int[], $12::bytea[], $13::text[])
     on conflict do nothing`,
    [
      attempts.map(({ partition }) => partition),
      attempts.map(({ offset }) => `${offset}`),
      attempts.map(({ entry }) => entry.batchId),
      attempts.map(({ entry }) => entry.webhookId),
      attempts.map(({ entry }) => entry.attempt),
      attempts.map(({ entry }) => toSqlTime(entry.at)),
      attempts.map(({ entry }) => entry.outcome),
      attempts.map(({ entry }) => entry.status),
      // Postgres cannot store NUL in text.
      attempts.map(({ entry }) => entry.reason?.replaceAll('\0', '') ?? null),
      attempts.map(({ entry }) => entry.durationMs),
      attempts.map(({ entry }) => entry.events),
      bytesOf(attempts),
      attempts.map(({ headers }) => sequencesIn(headers)),
    ],
  );
}

function sequencesIn(headers: ReadMessage['headers']): string | null {
  const text = headers?.[sequencesHeader]?.toString('latin1') ?? '';
  return readSequences(text).length === 0 ? null : text;
}

function bytesOf(all: Batches | Attempts): Buffer {
  const cells = all.map(({ bytes }) => bytes);
  return toBinaryArray('bytea', cells);
}

/** Decodes messages and skips unreadable ones, which delivery has already quarantined with the reason. */
function decodeAll<Entry>(
  { partition, messages }: ReadPartition,
  decode: (bytes: Buffer | null) => Entry,
): readonly Located<Entry>[] {
  return messages.flatMap((message) => {
    const entry = decodeReadable(message, decode);
    if (entry === undefined) return [];
    const { offset, value, headers } = message;
    return [{ partition, offset, bytes: value ?? Buffer.alloc(0), headers, entry }];
  });
}
