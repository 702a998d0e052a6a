import type { BatchTask } from './receive-batch.ts';

/** The batches that this process has read and that have no outcome yet. Only used for metrics. */
export interface WaitingBatches {
  share(): WaitingShare;
  count(): number;
  /** Returns the number of webhooks with such batches. */
  webhooks(): number;
  /** Returns when the oldest of them was enqueued, in milliseconds since 1970. */
  oldestEnqueuedAt(): number | undefined;
}

/** The batches of one partition. */
export interface WaitingShare {
  begin(task: BatchTask): void;
  end(task: BatchTask): void;
  /** Called when another process delivers the partition. */
  close(): void;
}

export function createWaitingBatches(): WaitingBatches {
  const shares = new Set<Set<BatchTask>>();
  const all = () => [...shares].flatMap((tasks) => [...tasks]);
  return {
    share() {
      const tasks = new Set<BatchTask>();
      shares.add(tasks);
      return {
        begin: (task) => void tasks.add(task),
        end: (task) => void tasks.delete(task),
        close: () => void shares.delete(tasks),
      };
    },
    count: () => all().length,
    webhooks: () => new Set(all().map(({ batch }) => batch.webhookId)).size,
    oldestEnqueuedAt() {
      const tasks = all();
      const earlier = (one: number, { batch }: BatchTask) => Math.min(one, batch.enqueuedAt);
      return tasks.length === 0 ? undefined : tasks.reduce(earlier, Number.POSITIVE_INFINITY);
    },
  };
}
