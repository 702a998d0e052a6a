import { readBatchHistories } from '../../../services/query/webhooks/ledger/read-batch-histories.ts';
import { readTopic } from '../../../services/query/webhooks/ledger/read-topic.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import {
  droppedByOperator,
  encodeWebhookAttempt,
  type WebhookAttempt,
} from '../../../shared/events/webhook-attempt-codec.ts';
import {
  encodeWebhookBatch,
  toFreshBatch,
  type WebhookBatch,
} from '../../../shared/events/webhook-batch-codec.ts';
import { createAppendCoded } from '../../../shared/kafka/append.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { readBatchMessage } from '../../../shared/kafka/read-batch-message.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { traceHeaders } from '../../../shared/kafka/trace-header.ts';

interface DeadLetterDeps {
  readonly connection: KafkaConnection;
  readonly topics: TopicNames;
}

/** An abandoned batch that has been neither sent again nor dropped since. Its events stay in the topic. */
export interface DeadLetter {
  readonly batch: Omit<WebhookBatch, 'events'> & { readonly eventCount: number };
  readonly reason: string | null;
  readonly partition: number;
  readonly offset: bigint;
  readonly bytes: number;
}

/** Lists dead letters, oldest first. Messages that are not batches cannot be sent, and are only counted. */
export async function readDeadLetters({ connection, topics }: DeadLetterDeps): Promise<{
  readonly letters: readonly DeadLetter[];
  readonly unreadable: number;
}> {
  const found = new Map<string, Omit<DeadLetter, 'reason'>>();
  let unreadable = 0;
  await readTopic(connection, {
    topic: topics.webhookDeadLetters,
    onMessage(partition, message) {
      const read = readBatchMessage(message);
      if (typeof read === 'string') {
        unreadable += 1;
        return;
      }
      const { events, ...rest } = read;
      const batch = { ...rest, eventCount: events.length };
      const { offset, value } = message;
      found.set(batch.batchId, { batch, partition, offset, bytes: value?.length ?? 0 });
    },
  });
  const histories = await readBatchHistories({ connection, topics });
  const letters = [...found.values()].flatMap((letter) => {
    const entry = histories.get(letter.batch.batchId);
    return entry?.state === 'dead' ? [{ ...letter, reason: entry.reason }] : [];
  });
  return { letters, unreadable };
}

/** Reads the batches of dead letters with their events, one portion of the topic at a time. */
export async function readBatches(
  { connection, topics }: DeadLetterDeps,
  letters: readonly DeadLetter[],
  take: (batch: WebhookBatch) => Promise<void>,
): Promise<void> {
  const placeOf = (partition: number, offset: bigint) => `${partition}/${offset}`;
  const wanted = new Set(letters.map(({ partition, offset }) => placeOf(partition, offset)));
  let found: WebhookBatch[] = [];
  await readTopic(connection, {
    topic: topics.webhookDeadLetters,
    onMessage(partition, message) {
      if (!wanted.has(placeOf(partition, message.offset))) return;
      const batch = readBatchMessage(message);
      if (typeof batch !== 'string') found.push(batch);
    },
    async afterPortion() {
      for (const batch of found) await take(batch);
      found = [];
    },
  });
}

/** Enqueues dead letters again, with the same ids and bytes. */
export async function sendDeadLetters(
  deps: DeadLetterDeps,
  letters: readonly DeadLetter[],
): Promise<void> {
  const { connection, topics } = deps;
  const append = createAppendCoded(connection);
  const partitions = await connection.partitionsOf(topics.webhookBatches);
  await readBatches(deps, letters, async (batch) => {
    const again = toFreshBatch(batch, Date.now());
    const value = encodeWebhookBatch(again, connection.versions());
    const message = { key: batch.webhookId, value, ...traceHeaders(batch.traceparent) };
    await append(topics.webhookBatches, partitionOf(batch.webhookId, partitions), [message]);
  });
}

/** Drops dead letters. They stay in their topic, and count as dropped. */
export async function dropDeadLetters(
  { connection, topics }: DeadLetterDeps,
  letters: readonly DeadLetter[],
): Promise<void> {
  const append = createAppendCoded(connection);
  const partitions = await connection.partitionsOf(topics.webhookAttempts);
  for (const { batch } of letters) {
    const key = batch.webhookId;
    const events = { length: batch.eventCount };
    const end = { attempt: 0, outcome: 'dropped', reason: droppedByOperator } as const;
    const value = encodeWebhookAttempt(endOf({ ...batch, events }, end), connection.versions());
    await append(topics.webhookAttempts, partitionOf(key, partitions), [{ key, value }]);
  }
}

/** Returns the entry that ends a batch without a request. */
export function endOf(
  {
    batchId,
    webhookId,
    events,
  }: Pick<WebhookBatch, 'batchId' | 'webhookId'> & { readonly events: { readonly length: number } },
  end: Pick<WebhookAttempt, 'attempt' | 'outcome' | 'reason'>,
): WebhookAttempt {
  const unsent = { status: null, durationMs: 0 };
  return { batchId, webhookId, ...end, ...unsent, at: Date.now(), events: events.length };
}
