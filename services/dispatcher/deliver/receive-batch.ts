import { isTestBatch, type WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import { readBatchMessage } from '../../../shared/kafka/read-batch-message.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { admit, type Backlog } from './admit.ts';
import type { Room } from './memory-budget.ts';
import type { Reception } from './offer-fetched.ts';
import type { PartitionProgress } from './partition-progress.ts';

/** A batch at one place of the log. */
export interface BatchTask {
  readonly progress: PartitionProgress;
  readonly offset: bigint;
  readonly batch: WebhookBatch;
  readonly bytes: number;
}

export interface ReceiveBatchDeps {
  /** Where batches stand before their first attempt. */
  readonly batchesTopic: string;
  /** What waits in the lane of the batch. */
  backlog(batch: WebhookBatch): Backlog;
  free(): Room;
  /** Why the batch may not be sent now, if its webhook's breaker says so. */
  holdReason(batch: WebhookBatch, isFirstTime: boolean): string | undefined;
  /** Told once of each batch that was read. */
  begin(task: BatchTask): void;
  take(task: BatchTask): void;
  postpone(task: BatchTask, reason: string): void;
  setAside(message: ReadMessage, progress: PartitionProgress, reason: string): void;
}

/** Decides about the next message of a partition. */
export function createReceiveBatch(
  deps: ReceiveBatchDeps,
): (message: ReadMessage, progress: PartitionProgress) => Reception {
  /** A message that has to wait is offered many times and decoded once. */
  const begun = new WeakMap<ReadMessage, BatchTask>();

  return (message, progress) => {
    const { offset } = message;
    let task = begun.get(message);
    if (task === undefined) {
      if (!progress.begin(offset)) return 'taken';
      const read = readBatchMessage(message);
      if (typeof read === 'string') {
        deps.setAside(message, progress, read);
        return 'taken';
      }
      task = { progress, offset, batch: read, bytes: message.value?.length ?? 0 };
      deps.begin(task);
    }
    const reception = receive(task);
    if (reception !== 'taken') begun.set(message, task);
    return reception;
  };

  function receive(task: BatchTask): Reception {
    const { dueAt, notBefore = 0 } = task.batch;
    const now = Date.now();
    // What has just been enqueued is due, whatever the clock says of the process that wrote it.
    if (dueAt > now && !isFirstTime(task)) return { waitMs: dueAt - now };
    const admission = admit(deps.backlog(task.batch), deps.free());
    if (admission === 'wait') return 'no room';
    const reason = admission === 'postpone' ? 'webhook is slow, its lane is full' : hold(task);
    // Each waits as long as all others of its topic, so that the one at the head is always due first.
    if (notBefore > now) deps.postpone(task, 'receiver asked to be left alone');
    else if (reason !== undefined) deps.postpone(task, reason);
    else deps.take(task);
    return 'taken';
  }

  function hold(task: BatchTask): string | undefined {
    return isTestBatch(task.batch) ? undefined : deps.holdReason(task.batch, isFirstTime(task));
  }

  function isFirstTime({ progress }: BatchTask): boolean {
    return progress.topic === deps.batchesTopic;
  }
}
