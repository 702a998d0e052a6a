import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { KafkaConnection } from '../../../../shared/kafka/connection.ts';
import { readBatchMessage } from '../../../../shared/kafka/read-batch-message.ts';
import type { TopicNames } from '../../../../shared/kafka/topics.ts';
import type { Overflow } from '../intake/overflow.ts';
import { readUnrecorded } from '../progress/load-progress.ts';
import type { OffsetRange, PartitionProgress } from '../progress/partition-progress.ts';
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

/**
 * Splits the entries of a retry partition into runs that come due in the order of the log. Usually there is one run,
 * because all entries wait equally long. After `WEBHOOK_FAIL_ATTEMPT_PERIOD` was lowered, later entries are due before
 * earlier ones. The intake reads each run separately, so that no due entry waits behind another run.
 */
export interface DueRuns {
  /** Called for each waiting entry, in ascending order. An unreadable entry has no due time. */
  add(offset: bigint, dueAt: number | undefined): void;
  /**
   * Returns the runs, and the offsets that wait before the last run. `end` is the offset of the next entry, which comes
   * due at `nextDueAt` or later.
   */
  split(end: bigint, nextDueAt: number): DueSplit;
}

interface DueSplit {
  readonly ranges: readonly OffsetRange[];
  readonly early: readonly bigint[];
}

/** Entries with the same period can be out of order by the duration of a commit. */
const TOLERANCE_MS = 1_000;
/** Limits the memory for fetched entries. Entries of further runs wait behind those of the last one. */
const MAX_RUNS = 8;
/** Limits the memory for offsets. Further entries wait until earlier ones are due. */
const MAX_EARLY = 100_000;

export function createDueRuns(start: bigint): DueRuns {
  const starts = [start];
  let latestDueAt = Number.NEGATIVE_INFINITY;
  let early: bigint[] = [];
  let inLastRun: bigint[] = [];

  function startRunIfEarlier(offset: bigint, dueAt: number): void {
    if (dueAt >= latestDueAt - TOLERANCE_MS || starts.length === MAX_RUNS) return;
    if (early.length + inLastRun.length > MAX_EARLY) return;
    starts.push(offset);
    early = early.concat(inLastRun);
    inLastRun = [];
    latestDueAt = dueAt;
  }

  return {
    add(offset, dueAt) {
      if (dueAt !== undefined) {
        startRunIfEarlier(offset, dueAt);
        latestDueAt = Math.max(latestDueAt, dueAt);
      }
      if (inLastRun.length <= MAX_EARLY) inLastRun.push(offset);
    },
    split(end, nextDueAt) {
      startRunIfEarlier(end, nextDueAt);
      const ranges = starts.map((from, index) => {
        const to = starts[index + 1];
        return to === undefined ? { from } : { from, to };
      });
      return { ranges, early };
    },
  };
}
