import type { Logger } from 'pino';
import { isTestBatch, type WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { traceIdOf } from '../../../shared/runtime/trace.ts';
import type { BatchEnding, DeliveryTopics } from './batch-ending.ts';
import { type Breakers, createBreakers } from './breakers.ts';
import {
  chooseEndpoint,
  type DeliverBatchDeps,
  deliverBatch,
  goneReason,
  postponed,
} from './deliver-batch.ts';
import type { DeliveryCounts } from './delivery-counts.ts';
import type { Endpoint } from './endpoints.ts';
import { createLanes, type Lanes } from './lanes.ts';
import type { ObserveEnding } from './measure-delivery.ts';
import type { BudgetShare } from './memory-budget.ts';
import type { Reception } from './offer-fetched.ts';
import type { Ordering } from './ordering.ts';
import type { PartitionProgress } from './partition-progress.ts';
import type { Permits } from './permits.ts';
import type { Ending } from './plan-commit.ts';
import { type BatchTask, createReceiveBatch, type ReceiveBatchDeps } from './receive-batch.ts';
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
  /** Those of all partitions of this process. */
  readonly breakers: Set<Breakers>;
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
  const breakers = createBreakers({
    urlOf: (webhookId) => deps.directory.record('Webhook', webhookId)?.values['url'],
    maxOpenMs: deps.config.failAttemptPeriodMs,
    now: Date.now,
  });
  deps.breakers.add(breakers);
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
      if (ordering.blockedUntil(task.batch) === undefined) {
        return { origin: choice.endpoint.origin, run: () => send(task, choice.endpoint) };
      }
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
  const takeConsequences = createConsequences({
    breakers,
    removal,
    endWaiting(webhookId, endingOf) {
      for (const task of lanes.takeWaiting(webhookId)) settle(task, endingOf(task));
    },
    later,
  });

  async function send(task: BatchTask, endpoint: Endpoint): Promise<void> {
    counts.started += 1;
    const { ending, isGone } = await deliverBatch(task.batch, endpoint, batchDeps);
    if (isAbandoned) return;
    settle(task, ending);
    logEnding(log, task, ending);
    takeConsequences(task.batch, ending, isGone);
  }

  return {
    offer: createOffer(deps, {
      breakers,
      lanes,
      setAside,
      postpone: (task, reason) => settle(task, later(task, reason)),
    }),
    drained: lanes.drained,
    abandon() {
      isAbandoned = true;
      void lanes.drained();
      deps.breakers.delete(breakers);
      stopListening();
      budget.close();
      deps.waiting.close();
    },
  };
}

interface OfferParts extends Pick<ReceiveBatchDeps, 'setAside' | 'postpone'> {
  readonly breakers: Breakers;
  readonly lanes: Lanes<BatchTask>;
}

function createOffer(
  { budget, log, topics, waiting }: DeliveryLineDeps,
  { breakers, lanes, setAside, postpone }: OfferParts,
): DeliveryLine['offer'] {
  return createReceiveBatch({
    batchesTopic: topics.names.webhookBatches,
    backlog: lanes.backlog,
    free: budget.free,
    holdReason: breakers.holdReason,
    begin: waiting.begin,
    take(task) {
      budget.take(task.bytes);
      lanes.add(task.batch.webhookId, task, task.bytes);
    },
    postpone(task, reason) {
      budget.take(task.bytes);
      postpone(task, reason);
    },
    setAside(message, progress, reason) {
      log.error({ topic: progress.topic, offset: message.offset, reason }, 'message set aside');
      setAside(message, progress, reason);
    },
  });
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

interface ConsequencesDeps extends Pick<DeliveryLineDeps, 'removal'> {
  readonly breakers: Breakers;
  /** Ends all that waits in the lane of a webhook. */
  endWaiting(webhookId: string, endingOf: (task: BatchTask) => BatchEnding): void;
  later(task: BatchTask, reason: string): BatchEnding;
}

/** What the ending of a request means for the webhook's other batches. */
function createConsequences({ breakers, removal, endWaiting, later }: ConsequencesDeps) {
  return ({ webhookId }: WebhookBatch, ending: BatchEnding, isGone: boolean): void => {
    if (isGone) {
      removal.begin(webhookId);
      endWaiting(webhookId, () => goneEnding);
    } else if (ending.kind === 'delivered') breakers.noteSuccess(webhookId);
    else if (ending.kind === 'retried' || ending.kind === 'dead') {
      const patience = 'patience' in ending ? ending.patience : undefined;
      breakers.noteFailure(webhookId, patience?.notBefore);
      endWaiting(webhookId, (task) => later(task, 'an earlier batch failed'));
    }
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
