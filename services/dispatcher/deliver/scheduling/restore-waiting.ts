import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { KafkaConnection } from '../../../../shared/kafka/connection.ts';
import { readBatchMessage } from '../../../../shared/kafka/read-batch-message.ts';
import type { TopicNames } from '../../../../shared/kafka/topics.ts';
import type { Overflow } from '../intake/overflow.ts';
import { readUnrecorded } from '../progress/load-progress.ts';
import type { PartitionProgress } from '../progress/partition-progress.ts';
import type { Ordering } from './ordering.ts';

/** Restores the batches that the predecessor left waiting for room, or for another attempt. */
export async function restoreWaiting(deps: {
  readonly topics: TopicNames;
  readonly partitions: readonly PartitionProgress[];
  readonly connection: KafkaConnection;
  readonly ordering: Pick<Ordering, 'wait'>;
  readonly overflow: Pick<Overflow, 'enter'>;
}): Promise<void> {
  const { topics, partitions, connection, ordering, overflow } = deps;
  for (const progress of partitions) {
    if (progress.topic === topics.webhookBatches) continue;
    const isOverflow = progress.topic === topics.webhookOverflow;
    await readUnrecorded(connection, progress, (message) => {
      const batch = readBatchMessage(message);
      if (typeof batch === 'string') return;
      if (isOverflow) overflow.enter(batch.webhookId);
      if (!isOverflow || wasPostponed(batch)) ordering.wait(batch);
    });
  }
}

/**
 * Whether the batch was postponed or tried, so that it holds up later ones of an ordered webhook. Other batches of the
 * overflow are in order.
 */
function wasPostponed({ attemptsMade, dueAt, enqueuedAt }: WebhookBatch): boolean {
  return attemptsMade > 0 || dueAt > enqueuedAt;
}
