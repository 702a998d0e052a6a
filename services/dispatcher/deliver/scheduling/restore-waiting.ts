import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { KafkaConnection } from '../../../../shared/kafka/connection.ts';
import { readBatchMessage } from '../../../../shared/kafka/read-batch-message.ts';
import type { DispatcherContext } from '../../context.ts';
import { readUnrecorded } from '../progress/load-progress.ts';
import type { OffsetRange, PartitionProgress } from '../progress/partition-progress.ts';
import type { WebhookOrder } from './webhook-order.ts';

/** A partition, and its ranges, which are read separately. */
interface RestoredPartition {
  readonly progress: PartitionProgress;
  readonly ranges: readonly OffsetRange[];
}

interface Predecessor {
  readonly connection: KafkaConnection;
  readonly partitions: readonly PartitionProgress[];
  readonly order: WebhookOrder;
}

/**
 * Restores the batches that wait for room or for another attempt, in the state in which the previous owner left them.
 */
export async function restoreWaiting(
  context: DispatcherContext,
  predecessor: Predecessor,
): Promise<readonly RestoredPartition[]> {
  const { topics } = context;
  const restored: RestoredPartition[] = [];
  for (const progress of predecessor.partitions) {
    const whole = { progress, ranges: [{ from: progress.start }] };
    if (progress.topic === topics.webhookBatches) restored.push(whole);
    else if (progress.topic === topics.webhookOverflow) {
      await restoreOverflow(progress, predecessor);
      restored.push(whole);
    } else
      restored.push({ progress, ranges: await restoreRetries(progress, predecessor, context) });
  }
  return restored;
}

async function restoreOverflow(
  progress: PartitionProgress,
  { connection, order }: Predecessor,
): Promise<void> {
  await readUnrecorded(connection, progress, (message) => {
    const batch = readBatchMessage(message);
    if (typeof batch === 'string') return;
    order.enterOverflow(batch.webhookId);
    if (wasPostponed(batch)) order.addRetry(batch);
  });
}

async function restoreRetries(
  progress: PartitionProgress,
  { connection, order }: Predecessor,
  { clock, config }: DispatcherContext,
): Promise<readonly OffsetRange[]> {
  const runs = new DueRuns(progress.start);
  const end = await readUnrecorded(connection, progress, (message) => {
    const batch = readBatchMessage(message);
    if (typeof batch !== 'string') order.addRetry(batch);
    runs.add(message.offset, typeof batch === 'string' ? undefined : batch.dueAt);
  });
  // New retries come due after this period.
  const nextDueAt = clock.now() + config.delivery.failAttemptPeriodMs;
  const { ranges, early } = runs.split(end, nextDueAt);
  // Messages in the last range begin while earlier ones still wait, but offsets must begin in ascending order.
  for (const offset of early) progress.begin(offset);
  return ranges;
}

/**
 * Returns true if the batch was postponed or tried. Later batches of an ordered webhook then have to wait for it. Other
 * batches in the overflow are in order.
 */
function wasPostponed({ attemptsMade, dueAt, enqueuedAt }: WebhookBatch): boolean {
  return attemptsMade > 0 || dueAt > enqueuedAt;
}

/** The due times of entries with the same retry period can be out of order by the duration of a commit. */
const TOLERANCE_MS = 1_000;
/** Limits the memory for fetched entries. Entries of further runs wait behind those of the last run. */
const MAX_RUNS = 8;
/** Limits the memory for offsets. Further entries wait until earlier ones are due. */
const MAX_EARLY = 100_000;

/**
 * Splits the entries of a retry partition into runs, in each of which entries come due in the order of the log. Usually
 * there is one run, because all entries wait equally long. After `WEBHOOK_FAIL_ATTEMPT_PERIOD` was lowered, later
 * entries are due before earlier ones. Each run is read separately, so that no due entry waits behind another run.
 */
export class DueRuns {
  readonly #starts: bigint[];
  #latestDueAt = Number.NEGATIVE_INFINITY;
  #early: bigint[] = [];
  #inLastRun: bigint[] = [];

  constructor(start: bigint) {
    this.#starts = [start];
  }

  /** Called for each waiting entry, in ascending order. An unreadable entry has no due time. */
  add(offset: bigint, dueAt: number | undefined): void {
    if (dueAt !== undefined) {
      this.#startRunIfEarlier(offset, dueAt);
      this.#latestDueAt = Math.max(this.#latestDueAt, dueAt);
    }
    if (this.#inLastRun.length <= MAX_EARLY) this.#inLastRun.push(offset);
  }

  /**
   * Returns the runs, and the offsets of the waiting entries that precede the last run. `end` is the offset of the next
   * entry, which will come due at `nextDueAt` or later.
   */
  split(
    end: bigint,
    nextDueAt: number,
  ): { readonly ranges: readonly OffsetRange[]; readonly early: readonly bigint[] } {
    this.#startRunIfEarlier(end, nextDueAt);
    const ranges = this.#starts.map((from, index) => {
      const to = this.#starts[index + 1];
      return to === undefined ? { from } : { from, to };
    });
    return { ranges, early: this.#early };
  }

  #startRunIfEarlier(offset: bigint, dueAt: number): void {
    if (dueAt >= this.#latestDueAt - TOLERANCE_MS || this.#starts.length === MAX_RUNS) return;
    if (this.#early.length + this.#inLastRun.length > MAX_EARLY) return;
    this.#starts.push(offset);
    this.#early = this.#early.concat(this.#inLastRun);
    this.#inLastRun = [];
    this.#latestDueAt = dueAt;
  }
}
