import type { Logger } from 'pino';
import { isTestBatch } from '../../../shared/events/webhook-batch-codec.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { traceIdOf } from '../../../shared/runtime/trace.ts';
import type { BatchEnding, DeliveryTopics } from './batch-ending.ts';
import {
  chooseEndpoint,
  type DeliverBatchDeps,
  deliverBatch,
  goneReason,
  postponed,
} from './deliver-batch.ts';
import type { DeliveryCounts } from './delivery-counts.ts';
import type { Endpoint } from './endpoints.ts';
import { createLanes } from './lanes.ts';
import type { ObserveEnding } from './measure-delivery.ts';
import type { BudgetShare } from './memory-budget.ts';
import type { Reception } from './offer-fetched.ts';
import type { Ordering } from './ordering.ts';
import type { PartitionProgress } from './partition-progress.ts';
import type { Permits } from './permits.ts';
import type { Ending } from './plan-commit.ts';
import { type BatchTask, createReceiveBatch } from './receive-batch.ts';
import type { RequestSlots } from './request-slots.ts';
import { createSettlement } from './settlement.ts';
import type { WaitingShare } from './waiting-batches.ts';
import type { WebhookRemoval } from './webhook-removal.ts';

export interface DeliveryLineDeps extends Omit<DeliverBatchDeps, 'isGone'> {
  readonly topics: DeliveryTopics;
  readonly budget: BudgetShare;
  readonly waiting: WaitingShare;
  readonly observe: ObserveEnding;
  readonly slots: RequestSlots;
  readonly permits: Permits;
  readonly removal: WebhookRemoval;
  readonly ordering: Ordering;
  readonly counts: DeliveryCounts;
  readonly log: Logger;
  record(ending: Ending): void;
  onRoom(): void;
  onBug(error: unknown): void;
}

/** What happens to a batch of one partition between its place in the log and its ending. */
export interface DeliveryLine {
  offer(message: ReadMessage, progress: PartitionProgress): Reception;
  /** Starts nothing any more, and answers when no request is under way. */
  drained(): Promise<void>;
  /** Requests that end from now on count as never made. */
  abandon(): void;
}

export function createDeliveryLine(deps: DeliveryLineDeps): DeliveryLine {
  const { budget, counts, log, ordering, permits, removal } = deps;
  const batchDeps: DeliverBatchDeps = { ...deps, isGone: removal.has };
  const { settle: settleAnyhow, setAside } = createSettlement(deps);
  const failures = createFailures();
  let isAbandoned = false;

  const lanes = createLanes<BatchTask>({
    slots: deps.slots,
    takePermit: ({ batch }) => isTestBatch(batch) || permits.take(),
    begin(task) {
      const choice = chooseEndpoint(task.batch, batchDeps);
      if ('ending' in choice) {
        settle(task, choice.ending);
        return undefined;
      }
      if (ordering.blockedUntil(task.batch) === undefined) return () => send(task, choice.endpoint);
      settle(task, later(task, 'an earlier batch has not ended'));
      return undefined;
    },
    onFree: deps.onRoom,
    onBug: deps.onBug,
  });
  const stopListening = permits.onRun(lanes.pump);

  function settle(task: BatchTask, ending: BatchEnding): void {
    ordering.note(task.batch, ending);
    settleAnyhow(task, ending);
  }

  const later = createLater(deps);

  async function send(task: BatchTask, endpoint: Endpoint): Promise<void> {
    counts.started += 1;
    const { ending, isGone } = await deliverBatch(task.batch, endpoint, batchDeps);
    if (isAbandoned) return;
    settle(task, ending);
    logEnding(log, task, ending);
    if (ending.kind !== 'delivered') afterFailure(task, isGone);
  }

  function afterFailure(task: BatchTask, isGone: boolean): void {
    if (isTestBatch(task.batch) && !isGone) return;
    const { webhookId } = task.batch;
    if (isGone) removal.begin(webhookId);
    else failures.note(webhookId);
    for (const waiting of lanes.takeWaiting(webhookId)) {
      settle(waiting, isGone ? goneEnding : later(waiting, 'an earlier batch failed'));
    }
  }

  const offer = createReceiveBatch({
    batchesTopic: deps.topics.names.webhookBatches,
    backlog: lanes.backlog,
    free: budget.free,
    hasFailedSince: failures.hasFailedSince,
    begin: deps.waiting.begin,
    take(task) {
      budget.take(task.bytes);
      lanes.add(task.batch.webhookId, task, task.bytes);
    },
    postpone(task, reason) {
      budget.take(task.bytes);
      settle(task, later(task, reason));
    },
    setAside(message, progress, reason) {
      log.error({ topic: progress.topic, offset: message.offset, reason }, 'message set aside');
      setAside(message, progress, reason);
    },
  });

  return {
    offer,
    drained: lanes.drained,
    abandon() {
      isAbandoned = true;
      stopListening();
      budget.close();
      deps.waiting.close();
    },
  };
}

function logEnding(log: Logger, task: BatchTask, ending: BatchEnding): void {
  const { webhookId, batchId } = task.batch;
  const seen = { webhookId, batchId, ending: ending.kind, ...traceOf(task) };
  if (ending.kind === 'delivered') log.debug(seen, 'webhook request');
  else log.warn({ ...seen, reason: ending.reason }, 'webhook request failed');
}

function traceOf({ batch: { traceparent } }: BatchTask): object {
  return traceparent === undefined ? {} : { traceId: traceIdOf(traceparent) };
}

/**
 * The failures of webhooks, as seen by what was enqueued before them: the rest of the same run of the queue, and of
 * earlier ones. Told by time, because the run may be another process's.
 */
function createFailures() {
  const failedAt = new Map<string, number>();
  return {
    note: (webhookId: string): void => void failedAt.set(webhookId, Date.now()),
    hasFailedSince(webhookId: string, enqueuedAt: number): boolean {
      const at = failedAt.get(webhookId);
      if (at === undefined || at >= enqueuedAt) return at !== undefined;
      // Batches come in the order in which they were enqueued.
      failedAt.delete(webhookId);
      return false;
    },
  };
}

const goneEnding: BatchEnding = { kind: 'dropped', reason: goneReason };

/** For a batch that is not sent now. */
function createLater({ ordering, config }: Pick<DeliveryLineDeps, 'ordering' | 'config'>) {
  return ({ batch }: BatchTask, reason: string): BatchEnding => {
    const dueAt = ordering.blockedUntil(batch);
    return dueAt === undefined ? postponed(reason, config) : { kind: 'postponed', reason, dueAt };
  };
}
