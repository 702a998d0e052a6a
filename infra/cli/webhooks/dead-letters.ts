import { readBatchHistories } from '../../../services/operations/webhooks/read-batch-histories.ts';
import { readTopic } from '../../../services/operations/webhooks/read-topic.ts';
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

/** A batch that was given up, and not sent again or dropped since then. */
export interface DeadLetter {
  readonly batch: WebhookBatch;
  readonly reason: string | null;
}

/** Reads dead letters, oldest first. Messages that are no batches cannot be sent, and are only counted. */
export async function readDeadLetters({ connection, topics }: DeadLetterDeps): Promise<{
  readonly letters: readonly DeadLetter[];
  readonly unreadable: number;
}> {
  const batches = new Map<string, WebhookBatch>();
  let unreadable = 0;
  await readTopic(connection, {
    topic: topics.webhookDeadLetters,
    onMessage(_, message) {
      const batch = readBatchMessage(message);
      if (typeof batch === 'string') unreadable += 1;
      else batches.set(batch.batchId, batch);
    },
  });
  const histories = await readBatchHistories({ connection, topics });
  const letters = [...batches.values()].flatMap((batch) => {
    const entry = histories.get(batch.batchId);
    return entry?.state === 'dead' ? [{ batch, reason: entry.reason }] : [];
  });
  return { letters, unreadable };
}

/** Enqueues dead letters again, with the same ids and bytes. */
export async function sendDeadLetters(
  { connection, topics }: DeadLetterDeps,
  letters: readonly DeadLetter[],
): Promise<void> {
  const append = createAppendCoded(connection);
  const partitions = await connection.partitionsOf(topics.webhookBatches);
  for (const { batch } of letters) {
    const again = toFreshBatch(batch, Date.now());
    const value = encodeWebhookBatch(again, connection.versions());
    const message = { key: batch.webhookId, value, ...traceHeaders(batch.traceparent) };
    await append(topics.webhookBatches, partitionOf(batch.webhookId, partitions), [message]);
  }
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
    const attempt = endOf(batch, { attempt: 0, outcome: 'dropped', reason: droppedByOperator });
    const value = encodeWebhookAttempt(attempt, connection.versions());
    await append(topics.webhookAttempts, partitionOf(key, partitions), [{ key, value }]);
  }
}

/** The end of a batch without a request. */
export function endOf(
  { batchId, webhookId, events }: WebhookBatch,
  end: Pick<WebhookAttempt, 'attempt' | 'outcome' | 'reason'>,
): WebhookAttempt {
  const unsent = { status: null, durationMs: 0 };
  return { batchId, webhookId, ...end, ...unsent, at: Date.now(), events: events.length };
}
