import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { PartitionProgress } from './partition-progress.ts';

/** A batch at one place in the log. */
export interface BatchTask {
  readonly progress: PartitionProgress;
  readonly offset: bigint;
  /** Replaced right before the first request, when its events get numbers. */
  batch: WebhookBatch;
  readonly bytes: number;
}

export interface Room {
  readonly batches: number;
  readonly bytes: number;
}

export type InFlightWindow = ReturnType<typeof createInFlightWindow>;
/** The part of the window that one partition uses. */
export type PartitionWindow = ReturnType<InFlightWindow['open']>;

/**
 * The unfinished batches that this process has read, in all partitions together. Each batch uses memory from its
 * admission until its outcome is recorded; the limit on this memory provides back pressure. Metrics count a batch from
 * the time it is read until it has an outcome.
 */
export function createInFlightWindow(limit: Room) {
  let { batches, bytes } = limit;
  const partitions = new Set<Set<BatchTask>>();
  const all = () => [...partitions].flatMap((tasks) => [...tasks]);

  return {
    open() {
      const tasks = new Set<BatchTask>();
      partitions.add(tasks);
      let taken: Room = { batches: 0, bytes: 0 };

      function change(by: Room): void {
        if (!partitions.has(tasks)) return;
        taken = { batches: taken.batches + by.batches, bytes: taken.bytes + by.bytes };
        batches -= by.batches;
        bytes -= by.bytes;
      }

      return {
        begin: (task: BatchTask): void => void tasks.add(task),
        end: (task: BatchTask): void => void tasks.delete(task),
        take: (size: number): void => change({ batches: 1, bytes: size }),
        release: (size: number): void => change({ batches: -1, bytes: -size }),
        /** Returns the free memory, for all partitions together. */
        free: (): Room => ({ batches, bytes }),
        /** Releases all memory of the partition. Later calls have no effect. */
        close(): void {
          change({ batches: -taken.batches, bytes: -taken.bytes });
          partitions.delete(tasks);
        },
      };
    },
    count: (): number => all().length,
    /** Returns the number of webhooks with batches in flight. */
    webhooks: (): number => new Set(all().map(({ batch }) => batch.webhookId)).size,
    /** Returns the time at which the oldest batch in flight was enqueued, in milliseconds since 1970. */
    oldestEnqueuedAt(): number | undefined {
      const tasks = all();
      const earlier = (one: number, { batch }: BatchTask) => Math.min(one, batch.enqueuedAt);
      return tasks.length === 0 ? undefined : tasks.reduce(earlier, Number.POSITIVE_INFINITY);
    },
  };
}
