import type { BackupEntry } from '../../../shared/events/backup-entry-codec.ts';
import { decodeReadable } from '../../../shared/events/decode-readable.ts';
import {
  decodeWebhookAttempt,
  droppedByOperator,
  encodeWebhookAttempt,
  type WebhookAttempt,
} from '../../../shared/events/webhook-attempt-codec.ts';
import {
  decodeWebhookBatch,
  type WebhookBatch,
} from '../../../shared/events/webhook-batch-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { createPartitionAppender, toMessage } from '../partition-entries.ts';
import type { Run } from '../rebuild-log/work-schema.ts';
import { endOf } from '../webhooks/dead-letters.ts';

export interface RestoredWebhooks {
  readonly batches: number;
  readonly attempts: number;
  /** Batches without an outcome in the backup, which become dead letters. */
  readonly deadLetters: number;
}

type WebhookTopic =
  | 'webhookBatches'
  | 'webhookAttempts'
  | 'webhookDeadLetters'
  | 'webhookSequences';

/** Returns the partitions of a topic with their entries, one chunk at a time. */
type ReadTopic = (
  topic: WebhookTopic,
) => Iterable<readonly [partition: number, AsyncIterable<readonly BackupEntry[]>]>;

/**
 * Restores batches and attempts unchanged. Nothing is sent: a batch without an outcome may have been delivered after
 * the backup, so it becomes a dead letter, which operators can send.
 */
export async function restoreWebhooks(run: Run, read: ReadTopic): Promise<RestoredWebhooks> {
  const { kafka, installation } = run;
  const { topics } = installation;
  const endings = new Map<string, number>();
  let attempts = 0;
  await copy(run, 'webhookAttempts', read, (message) => {
    attempts += 1;
    const attempt = decodeReadable(message, decodeWebhookAttempt);
    if (attempt === undefined || attempt.outcome === 'retry') return;
    if (attempt.reason === droppedByOperator) return;
    endings.set(attempt.batchId, (endings.get(attempt.batchId) ?? 0) + 1);
  });
  await copy(run, 'webhookDeadLetters', read);
  await copy(run, 'webhookSequences', read);

  let batches = 0;
  let deadLetters = 0;
  const dead = createPartitionAppender(kafka, at(topics.webhookDeadLetters, 0));
  for (const [partition, chunks] of read('webhookBatches')) {
    const place = at(topics.webhookBatches, partition);
    const target = createPartitionAppender(kafka, place, undefined, false);
    const ends = createPartitionAppender(kafka, at(topics.webhookAttempts, partition));
    for await (const entries of chunks) {
      for (const entry of entries) {
        await target.add(toMessage(entry));
        batches += 1;
        const batch = decodeReadable(toRead(kafka, place, entry), decodeWebhookBatch);
        if (batch === undefined || hasEnded(endings, batch)) continue;
        await dead.add(toMessage(entry));
        await ends.add({ key: entry.key, value: encodeWebhookAttempt(unknownEnd(batch)) });
        deadLetters += 1;
      }
    }
    await target.flush();
    await ends.flush();
  }
  await dead.flush();
  return { batches, attempts, deadLetters };
}

/** Converts an entry to the message that a reader of the topic receives. */
export function toRead(
  kafka: KafkaConnection,
  place: { readonly topic: string; readonly partition: number },
  { offset, value, headers }: BackupEntry,
) {
  const message = { offset: BigInt(offset), value, headers };
  return { value, proof: kafka.codes?.verify(place, message) ?? ('none' as const) };
}

const at = (topic: string, partition: number) => ({ topic, partition });

async function copy(
  { kafka, installation }: Run,
  topic: WebhookTopic,
  read: ReadTopic,
  onEntry: (message: ReturnType<typeof toRead>) => void = () => undefined,
): Promise<void> {
  for (const [partition, chunks] of read(topic)) {
    const place = at(installation.topics[topic], partition);
    const target = createPartitionAppender(kafka, place, undefined, false);
    for await (const entries of chunks) {
      for (const entry of entries) {
        onEntry(toRead(kafka, place, entry));
        await target.add(toMessage(entry));
      }
    }
    await target.flush();
  }
}

/** A batch ends once per enqueueing: a redelivery enqueues it again. */
function hasEnded(endings: Map<string, number>, { batchId }: WebhookBatch): boolean {
  const left = endings.get(batchId) ?? 0;
  if (left > 0) endings.set(batchId, left - 1);
  return left > 0;
}

const unknownEnd = (batch: WebhookBatch): WebhookAttempt =>
  endOf(batch, {
    attempt: batch.attemptsMade,
    outcome: 'dead',
    reason: 'restored from a backup without its outcome',
  });
