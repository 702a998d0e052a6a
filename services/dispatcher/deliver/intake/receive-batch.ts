import { LaterVersion } from '../../../../shared/events/later-version.ts';
import { isTestBatch, type WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import { readBatchMessage } from '../../../../shared/kafka/read-batch-message.ts';
import type { ReadMessage } from '../../../../shared/kafka/read-partitions.ts';
import type { DispatcherContext } from '../../context.ts';
import type { Numbering } from '../numbering/numbering.ts';
import type { BatchTask, PartitionWindow, Room } from '../progress/in-flight-window.ts';
import type { PartitionProgress } from '../progress/partition-progress.ts';
import type { CircuitBreakers } from '../scheduling/circuit-breakers.ts';
import type { QueueBacklog } from '../scheduling/request-scheduler.ts';
import type { WebhookOrder } from '../scheduling/webhook-order.ts';
import type { Offer, OfferResult } from './fetch-batches.ts';

/** Carries out the decisions about the batches of a partition. */
export interface BatchReceiver {
  readonly order: WebhookOrder;
  readonly window: PartitionWindow;
  readonly breakers: CircuitBreakers;
  readonly numbering: Numbering;
  /** Returns the backlog of the batch's queue. */
  backlog(batch: WebhookBatch): QueueBacklog;
  place(task: BatchTask, placement: Placement): void;
  /** Called whenever a batch from a later version is offered. */
  waitForUpgrade(message: ReadMessage, progress: PartitionProgress, err: LaterVersion): void;
  /** Moves a message that is not a batch to the dead letters. */
  reject(message: ReadMessage, progress: PartitionProgress, reason: string): void;
}

/**
 * The interval at which a batch from a later version is offered and logged again, until a process of that version takes
 * over the partition.
 */
const UPGRADE_CHECK_MS = 10_000;

/** Where a due batch goes. A reason means that it is postponed. */
export type Placement = 'queue' | 'overflow' | { readonly reason: string };

/** Returns a function that decides what happens to the next message of a partition. */
export function createReceiveBatch(
  { clock, topics }: DispatcherContext,
  receiver: BatchReceiver,
): Offer {
  const { breakers, numbering, order, window } = receiver;
  /** A waiting message is offered many times but decoded only once. */
  const begun = new WeakMap<ReadMessage, BatchTask>();
  const isFresh = ({ progress }: BatchTask) => progress.topic === topics.webhookBatches;
  const isInOverflow = ({ progress }: BatchTask) => progress.topic === topics.webhookOverflow;
  const isFirstTime = (task: BatchTask) =>
    isFresh(task) || (isInOverflow(task) && task.batch.attemptsMade === 0);
  /** True if earlier batches of the webhook are in the overflow. Test batches overtake all others. */
  const isBehindOverflow = (task: BatchTask) =>
    isFresh(task) && !isTestBatch(task.batch) && order.hasOverflow(task.batch.webhookId);

  return (message, progress) => {
    const known = begun.get(message);
    if (known === undefined && !progress.begin(message.offset)) return 'taken';
    const task = known ?? beginTask(message, progress);
    if (!('batch' in task)) return task.result;
    const result = receive(task);
    if (result !== 'taken') begun.set(message, task);
    return result;
  };

  function beginTask(
    message: ReadMessage,
    progress: PartitionProgress,
  ): BatchTask | { readonly result: OfferResult } {
    try {
      const batch = readBatchMessage(message);
      if (typeof batch === 'string') {
        receiver.reject(message, progress, batch);
        return { result: 'taken' };
      }
      const { offset, value } = message;
      const numbered = numbering.restore(batch);
      const task = { progress, offset, batch: numbered, bytes: value?.length ?? 0 };
      window.begin(task);
      return task;
    } catch (error) {
      if (!(error instanceof LaterVersion)) throw error;
      receiver.waitForUpgrade(message, progress, error);
      return { result: { waitMs: UPGRADE_CHECK_MS } };
    }
  }

  function receive(task: BatchTask): OfferResult {
    const { dueAt, webhookId } = task.batch;
    const now = clock.now();
    // A newly enqueued batch is due immediately, even if its writer's clock is ahead.
    if (dueAt > now && !isFirstTime(task)) return { waitMs: dueAt - now };
    const admission = admit(receiver.backlog(task.batch), window.free());
    if (admission === 'wait') return 'no room';
    const placement = placementOf(task, admission, now);
    if (isInOverflow(task)) {
      if (placement === 'overflow') return 'no room';
      order.leaveOverflow(webhookId);
    }
    if (placement === 'overflow') order.enterOverflow(webhookId);
    receiver.place(task, placement);
    return 'taken';
  }

  function placementOf(task: BatchTask, admission: Admission, now: number): Placement {
    const reason = blockReason(task, now);
    if (reason !== undefined) return { reason };
    if (admission === 'postpone') return { reason: 'webhook is slow, its lane is full' };
    return admission === 'overflow' || isBehindOverflow(task) ? 'overflow' : 'queue';
  }

  function blockReason(task: BatchTask, now: number): string | undefined {
    // A batch is postponed for as long as all others in the topic, so that the first one is always the next one due.
    if ((task.batch.notBefore ?? 0) > now) return 'receiver requested a pause';
    return isTestBatch(task.batch)
      ? undefined
      : breakers.blockReason(task.batch, isFirstTime(task));
  }
}

/** `overflow`: the queue is full but will have room soon. */
type Admission = 'take' | 'overflow' | 'postpone' | 'wait';

/**
 * Decides whether the next batch of a partition is admitted to its queue. A queue may use as much memory as is still
 * free: a single queue gets half of the memory, and even if many queues fill up, some memory is left for others
 * (dynamic thresholds, as in switches with shared buffers). A queue above its share must not block other queues: its
 * batches wait in the overflow if the queue keeps up, and are postponed otherwise.
 */
export function admit(queue: QueueBacklog, free: Room): Admission {
  if (free.batches <= 0 || free.bytes <= 0) return 'wait';
  if (queue.batches < free.batches && queue.bytes < free.bytes) return 'take';
  return queue.isSlow ? 'postpone' : 'overflow';
}
