import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { KafkaConnection } from '../../../../shared/kafka/connection.ts';
import { readBatchMessage } from '../../../../shared/kafka/read-batch-message.ts';
import type { TopicNames } from '../../../../shared/kafka/topics.ts';
import type { Overflow } from '../intake/overflow.ts';
import { readUnrecorded } from '../progress/load-progress.ts';
import type { OffsetRange, PartitionProgress } from '../progress/partition-progress.ts';
import { createDueRuns } from './due-runs.ts';
import type { Ordering } from './ordering.ts';

interface RestoreWaitingDeps {
  readonly topics: TopicNames;
  readonly partitions: readonly PartitionProgress[];
  readonly connection: KafkaConnection;
  readonly ordering: Pick<Ordering, 'wait'>;
  readonly overflow: Pick<Overflow, 'enter'>;
  /** Returns when retries that are written from now on come due. */
  nextDueAt(): number;
}

/** A partition, and the ranges of it that are read separately. */
export interface RestoredPartition {
  readonly progress: PartitionProgress;
  readonly ranges: readonly OffsetRange[];
}

/** Restores the batches that wait for room or for another attempt, as the predecessor left them. */
export async function restoreWaiting(
  deps: RestoreWaitingDeps,
): Promise<readonly RestoredPartition[]> {
  const { topics, partitions } = deps;
  const restored: RestoredPartition[] = [];
  for (const progress of partitions) {
    const whole = { progress, ranges: [{ from: progress.start }] };
    if (progress.topic === topics.webhookBatches) restored.push(whole);
    else if (progress.topic === topics.webhookOverflow) {
      await restoreOverflow(progress, deps);
      restored.push(whole);
    } else restored.push({ progress, ranges: await restoreRetries(progress, deps) });
  }
  return restored;
}

async function restoreOverflow(
  progress: PartitionProgress,
  { connection, ordering, overflow }: RestoreWaitingDeps,
): Promise<void> {
  await readUnrecorded(connection, progress, (message) => {
    const batch = readBatchMessage(message);
    if (typeof batch === 'string') return;
    overflow.enter(batch.webhookId);
    if (wasPostponed(batch)) ordering.wait(batch);
  });
}

async function restoreRetries(
  progress: PartitionProgress,
  { connection, ordering, nextDueAt }: RestoreWaitingDeps,
): Promise<readonly OffsetRange[]> {
  const runs = createDueRuns(progress.start);
  const end = await readUnrecorded(connection, progress, (message) => {
    const batch = readBatchMessage(message);
    if (typeof batch !== 'string') ordering.wait(batch);
    runs.add(message.offset, typeof batch === 'string' ? undefined : batch.dueAt);
  });
  const { ranges, early } = runs.split(end, nextDueAt());
  // Messages of the last range begin while earlier ones still wait. Offsets have to begin in ascending order.
  for (const offset of early) progress.begin(offset);
  return ranges;
}

/**
 * Whether the batch was postponed or tried, so that later ones of an ordered webhook have to wait for it. Other batches
 * of the overflow are in order.
 */
function wasPostponed({ attemptsMade, dueAt, enqueuedAt }: WebhookBatch): boolean {
  return attemptsMade > 0 || dueAt > enqueuedAt;
}
