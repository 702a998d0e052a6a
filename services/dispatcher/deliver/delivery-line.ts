import type { Logger } from 'pino';
import { isTestBatch, type WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { traceIdOf } from '../../../shared/runtime/trace.ts';
import { type BatchEnding, type DeliveryTopics, reasonOf } from './batch-ending.ts';
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
import { createLanes, type Lanes, type Work } from './lanes.ts';
import type { ObserveEnding } from './measure-delivery.ts';
import type { BudgetShare } from './memory-budget.ts';
import type { Reception } from './offer-fetched.ts';
import type { Ordering } from './ordering.ts';
import type { Overflow } from './overflow.ts';
import { createParking } from './parking.ts';
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
  /** The breakers of all partitions of this process. */
  readonly breakers: Set<Breakers>;
  readonly permits: Permits;
  readonly removal: WebhookRemoval;
  readonly ordering: Ordering;
  readonly overflow: Overflow;
  readonly counts: DeliveryCounts;
  readonly log: Logger;
  record(ending: Ending): void;
  onRoom(): void;
  onBug(error: unknown): void;
}

/** Handles the batches of one partition, from their place in the log to their ending. */
export interface DeliveryLine {
  offer(message: ReadMessage, progress: PartitionProgress): Reception;
  /** Starts no further requests, and resolves when none is under way. */
  drained(): Promise<void>;
  /** Requests that end from now on are not recorded. */
  abandon(): void;
}

export function createDeliveryLine(deps: DeliveryLineDeps): DeliveryLine {
  const { budget, counts, log, ordering, removal } = deps;
  const batchDeps: DeliverBatchDeps = { ...deps, isGone: removal.has };
  const { settle: settleAnyhow, setAside } = createSettlement(deps);
  const breakers = openBreakers(deps);
  const lanes = openLanes(deps, begin);
  const parking = createParking({ ordering, lanes: lanes.ofChanges, free: budget.free });
  const takeConsequences = createConsequences({
    breakers,
    endWaiting: (webhookId, end) => lanes.ofChanges.takeWaiting(webhookId).forEach(end),
    settle,
    putOff,
  });
  let isAbandoned = false;

  function begin(task: BatchTask): Work | undefined {
    const choice = chooseEndpoint(task.batch, batchDeps);
    if ('ending' in choice) settle(task, choice.ending);
    else if (ordering.isBlocked(task.batch)) putOff(task, 'an earlier batch has not ended');
    else return { origin: choice.endpoint.origin, run: () => send(task, choice.endpoint) };
    return undefined;
  }

  function settle(task: BatchTask, ending: BatchEnding): void {
    ordering.note(task.batch, ending);
    settleAnyhow(task, ending);
    parking.resume(task.batch.webhookId);
  }

  function putOff(task: BatchTask, reason: string): void {
    if (!parking.park(task)) settle(task, postponed(reason, deps));
  }

  async function send(task: BatchTask, endpoint: Endpoint): Promise<void> {
    counts.started += 1;
    const { ending, isGone } = await deliverBatch(task.batch, endpoint, batchDeps);
    if (isAbandoned) return;
    if (isGone) settleWhenRemoved(task, ending);
    else settle(task, ending);
    logEnding(log, task, ending);
    takeConsequences(task.batch, ending, isGone);
  }

  function settleWhenRemoved(task: BatchTask, ending: BatchEnding): void {
    removal
      .remove(task.batch.webhookId)
      .then((isRemoved) => {
        if (isRemoved && !isAbandoned) settle(task, ending);
      })
      .catch(deps.onBug);
  }

  return {
    offer: createOffer(deps, { breakers, lanes, setAside, postpone: putOff, settle }),
    drained: lanes.drained,
    abandon() {
      isAbandoned = true;
      removal.close();
      lanes.close();
      deps.breakers.delete(breakers);
      budget.close();
      deps.waiting.close();
    },
  };
}

function openBreakers({ breakers, clock, config, directory }: DeliveryLineDeps): Breakers {
  const opened = createBreakers({
    urlOf: (webhookId) => directory.record('Webhook', webhookId)?.values['url'],
    maxOpenMs: config.failAttemptPeriodMs,
    now: clock.now,
  });
  breakers.add(opened);
  return opened;
}

interface LineLanes {
  readonly ofChanges: Lanes<BatchTask>;
  of(batch: WebhookBatch): Lanes<BatchTask>;
  drained(): Promise<void>;
  close(): void;
}

/** Tests have lanes of their own, so that they wait neither behind their webhook's batches nor for permits. */
function openLanes(
  { slots, permits, onRoom: onFree, onBug }: DeliveryLineDeps,
  begin: (task: BatchTask) => Work | undefined,
): LineLanes {
  const laneDeps = { slots, begin, onFree, onBug };
  const ofChanges = createLanes<BatchTask>({ ...laneDeps, takePermit: permits.take });
  const ofTests = createLanes<BatchTask>({ ...laneDeps, takePermit: () => true });
  const stopListening = permits.onRun(ofChanges.pump);

  async function drained(): Promise<void> {
    await Promise.all([ofChanges.drained(), ofTests.drained()]);
  }

  return {
    ofChanges,
    of: (batch) => (isTestBatch(batch) ? ofTests : ofChanges),
    drained,
    close() {
      stopListening();
      void drained();
    },
  };
}

interface OfferParts extends Pick<ReceiveBatchDeps, 'setAside' | 'postpone'> {
  settle(task: BatchTask, ending: BatchEnding): void;
  readonly breakers: Breakers;
  readonly lanes: LineLanes;
}

function createOffer(
  { budget, clock, log, overflow, topics, waiting }: DeliveryLineDeps,
  { breakers, lanes, setAside, postpone, settle }: OfferParts,
): DeliveryLine['offer'] {
  return createReceiveBatch({
    topics: topics.names,
    clock,
    overflow,
    backlog: (batch) => lanes.of(batch).backlog(batch.webhookId),
    free: budget.free,
    holdReason: breakers.holdReason,
    begin: waiting.begin,
    take(task) {
      budget.take(task.bytes);
      lanes.of(task.batch).add(task.batch.webhookId, task, task.bytes);
    },
    postpone(task, reason) {
      budget.take(task.bytes);
      postpone(task, reason);
    },
    divert(task) {
      budget.take(task.bytes);
      settle(task, { kind: 'diverted' });
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
  else log.warn({ ...seen, reason: reasonOf(ending) }, 'webhook request failed');
}

function traceOf({ batch: { traceparent } }: BatchTask): object {
  return traceparent === undefined ? {} : { traceId: traceIdOf(traceparent) };
}

interface ConsequencesDeps {
  readonly breakers: Breakers;
  /** Applies `end` to all batches that wait in a webhook's lane. */
  endWaiting(webhookId: string, end: (task: BatchTask) => void): void;
  settle(task: BatchTask, ending: BatchEnding): void;
  putOff(task: BatchTask, reason: string): void;
}

/** What the ending of a request implies for the other batches of the webhook. */
function createConsequences({ breakers, endWaiting, settle, putOff }: ConsequencesDeps) {
  return ({ webhookId }: WebhookBatch, ending: BatchEnding, isGone: boolean): void => {
    if (isGone) endWaiting(webhookId, (task) => settle(task, goneEnding));
    else if (ending.kind === 'delivered') breakers.noteSuccess(webhookId);
    else if (ending.kind === 'retried' || ending.kind === 'dead') {
      const patience = 'patience' in ending ? ending.patience : undefined;
      breakers.noteFailure(webhookId, patience?.notBefore);
      endWaiting(webhookId, (task) => putOff(task, 'an earlier batch failed'));
    }
  };
}

const goneEnding: BatchEnding = { kind: 'dropped', reason: goneReason };
