/**
 * Handles the batches of one partition, from their place in the log to their outcome.
 *
 *   offered ──not due, no room──▶ offered again
 *      ├── of a later version ───────────────────▶ offered again until an upgrade; blocks its topic
 *      ├── not a batch ──────────────────────────▶ dead letter
 *      ├── lane full, keeps up ──────────────────▶ overflowed
 *      ├── breaker open, or lane full and slow ──▶ held back, or postponed
 *      ▼
 *   in its lane ──its turn──▶ no endpoint ───────▶ postponed, dropped, dead
 *      ▲  │                   earlier one waits ─▶ held back, or postponed
 *      │  │                   request ───────────▶ delivered, retried, dead; after a 410 dropped, once the webhook
 *      │  │                                        is removed
 *      │  └── the batch before it failed ────────▶ held back, or postponed
 *      └───── the earlier batch has its outcome
 *
 * A batch of an ordered webhook is held back in memory while an earlier one waits and there is room
 * (scheduling/holdback.ts). Every outcome goes to the recorder, until `abandon` is called.
 */
import type { Logger } from 'pino';
import { isTestBatch, type WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { traceIdOf } from '../../../shared/runtime/trace.ts';
import {
  chooseEndpoint,
  type DeliverBatchDeps,
  deliverBatch,
  goneReason,
  postponed,
} from './deliver-batch.ts';
import type { BudgetShare } from './intake/memory-budget.ts';
import type { Overflow } from './intake/overflow.ts';
import { type BatchTask, createReceiveBatch } from './intake/receive-batch.ts';
import type { OfferResult } from './intake/run-intake.ts';
import type { WaitingShare } from './intake/waiting-batches.ts';
import type { DeliveryCounts, ObserveOutcome } from './measure-delivery.ts';
import type { Numbering } from './numbering/numbering.ts';
import {
  type DeliveryTopics,
  type Outcome,
  reasonOf,
  toMessages,
  toUnreadableLetter,
} from './outcome/outcome.ts';
import type { WebhookRemoval } from './outcome/webhook-removal.ts';
import type { PartitionProgress } from './progress/partition-progress.ts';
import type { Completion } from './progress/run-recorder.ts';
import type { Endpoint } from './request/endpoints.ts';
import { type Breakers, createBreakers } from './scheduling/breakers.ts';
import { createHoldback, type Holdback } from './scheduling/holdback.ts';
import { type LaneRequest, Lanes } from './scheduling/lanes.ts';
import type { Ordering } from './scheduling/ordering.ts';
import type { Permits } from './scheduling/permits.ts';
import type { RequestSlots } from './scheduling/request-slots.ts';

export interface DeliveryLineDeps extends DeliverBatchDeps {
  readonly topics: DeliveryTopics;
  readonly counts: DeliveryCounts;
  readonly budget: BudgetShare;
  readonly waiting: WaitingShare;
  readonly observe: ObserveOutcome;
  readonly slots: RequestSlots;
  /** The breakers of all partitions of this process. */
  readonly breakers: Set<Breakers>;
  readonly permits: Permits;
  readonly removal: WebhookRemoval;
  readonly ordering: Ordering;
  readonly overflow: Overflow;
  readonly numbering: Numbering;
  readonly log: Logger;
  record(completion: Completion): void;
  onRoom(): void;
  onBug(error: unknown): void;
}

export class DeliveryLine {
  /** Handles the next message of the partition. */
  readonly offer: (message: ReadMessage, progress: PartitionProgress) => OfferResult;
  readonly #deps: DeliveryLineDeps;
  readonly #breakers: Breakers;
  readonly #lanes: Lanes<BatchTask>;
  /** Separate lanes for tests, which wait neither for their webhook's batches nor for permits. */
  readonly #testLanes: Lanes<BatchTask>;
  readonly #stopListening: () => void;
  readonly #holdback: Holdback;
  #isAbandoned = false;
  #isHeld = false;

  constructor(deps: DeliveryLineDeps) {
    this.#deps = deps;
    const { ordering, budget, clock, directory } = deps;
    this.#breakers = createBreakers({
      urlOf: (webhookId) => directory.record('Webhook', webhookId)?.values['url'],
      maxOpenMs: deps.config.failAttemptPeriodMs,
      now: clock.now,
    });
    deps.breakers.add(this.#breakers);
    this.#lanes = this.#openLanes(deps.permits);
    this.#testLanes = this.#openLanes({ has: () => true, take: () => true });
    this.#stopListening = deps.permits.onRun(this.#lanes.resume);
    this.#holdback = createHoldback({ ordering, lanes: this.#lanes, free: budget.free });
    this.offer = this.#createOffer();
  }

  /** Whether a batch of a later version blocks the partition. That lasts until another process takes over. */
  readonly isHeld = (): boolean => this.#isHeld;

  /** Starts no further requests, and resolves when all running ones have ended. */
  async drained(): Promise<void> {
    await Promise.all([this.#lanes.drained(), this.#testLanes.drained()]);
  }

  /** Discards the outcomes of requests that end from now on. */
  abandon(): void {
    this.#isAbandoned = true;
    const { removal, breakers, budget, numbering, waiting } = this.#deps;
    removal.close();
    numbering.close();
    this.#stopListening();
    void this.drained();
    breakers.delete(this.#breakers);
    budget.close();
    waiting.close();
  }

  #openLanes(permits: Pick<Permits, 'has' | 'take'>): Lanes<BatchTask> {
    const { slots, onRoom: onFree, onBug } = this.#deps;
    return new Lanes<BatchTask>({
      slots,
      hasPermit: ({ batch }) => permits.has(batch.attemptsMade > 0),
      takePermit: ({ batch }) => permits.take(batch.attemptsMade > 0),
      begin: (task) => this.#begin(task),
      onFree,
      onBug,
    });
  }

  #lanesOf(batch: WebhookBatch): Lanes<BatchTask> {
    return isTestBatch(batch) ? this.#testLanes : this.#lanes;
  }

  #createOffer(): DeliveryLine['offer'] {
    const { budget, clock, counts, log, numbering, overflow, topics, waiting } = this.#deps;
    return createReceiveBatch({
      topics: topics.names,
      clock,
      overflow,
      backlog: (batch) => this.#lanesOf(batch).backlog(batch.webhookId),
      free: budget.free,
      holdReason: this.#breakers.holdReason,
      restoreNumbers: numbering.restore,
      begin: waiting.begin,
      place: (task, placement) => {
        budget.take(task.bytes);
        if (placement === 'overflow') this.#complete(task, { kind: 'overflowed' });
        else if (placement !== 'lane') this.#holdBackOrPostpone(task, placement.reason);
        else this.#lanesOf(task.batch).add(task.batch.webhookId, task, task.bytes);
      },
      hold: ({ offset }, { topic, partition }, err) => {
        this.#isHeld = true;
        log.warn({ err, topic, partition, offset }, 'delivery waits for an upgrade');
      },
      reject: (message, progress, reason) => {
        const { offset, value } = message;
        log.error({ topic: progress.topic, offset, reason }, 'message moved to the dead letters');
        const bytes = value?.length ?? 0;
        budget.take(bytes);
        counts.unreadable += 1;
        const letter = toUnreadableLetter(message, reason, topics.names);
        this.#record({ progress, offset, bytes }, [letter]);
      },
    });
  }

  /** Returns the request of a batch whose turn it is, or undefined if it gets none now. */
  #begin(task: BatchTask): LaneRequest | undefined {
    const choice = chooseEndpoint(task.batch, this.#deps);
    if ('outcome' in choice) this.#complete(task, choice.outcome);
    else if (this.#deps.ordering.isBlocked(task.batch)) {
      this.#holdBackOrPostpone(task, 'an earlier batch has not ended');
    } else {
      const { endpoint } = choice;
      return { origin: endpoint.origin, run: () => this.#send(task, endpoint) };
    }
    return undefined;
  }

  #complete(task: BatchTask, outcome: Outcome): void {
    const { clock, counts, numbering, observe, ordering, topics, waiting } = this.#deps;
    const { batch, progress } = task;
    if (!isSent(outcome)) numbering.release(batch);
    ordering.recordOutcome(batch, outcome);
    counts[outcome.kind] += 1;
    observe(outcome);
    waiting.end(task);
    const from = progress.topic;
    const messages = toMessages(batch, outcome, { topics, from, now: clock.now() });
    this.#record(task, messages, () => numbering.forget(batch));
    this.#holdback.resume(batch.webhookId);
  }

  /** Records a completion, and frees its memory afterwards. */
  #record(
    { progress, offset, bytes }: Pick<BatchTask, 'progress' | 'offset' | 'bytes'>,
    messages: Completion['messages'],
    onEnd: () => void = () => undefined,
  ): void {
    const { budget, onRoom, record } = this.#deps;
    const onRecorded = () => {
      onEnd();
      budget.release(bytes);
      onRoom();
    };
    record({ progress, offset, messages, onRecorded });
  }

  #holdBackOrPostpone(task: BatchTask, reason: string): void {
    if (this.#holdback.hold(task)) return;
    this.#complete(task, postponed(reason, this.#deps));
  }

  async #send(task: BatchTask, endpoint: Endpoint): Promise<void> {
    const current = await this.#number(task, endpoint);
    if (current === undefined) return;
    this.#deps.counts.started += 1;
    const { outcome, isGone } = await deliverBatch(task.batch, current, this.#deps);
    if (this.#isAbandoned) return;
    if (isGone) this.#completeWhenRemoved(task, outcome);
    else this.#complete(task, outcome);
    logOutcome(this.#deps.log, task, outcome);
    if (isGone) this.#dropWaiting(task.batch);
    else this.#reactToReceiver(task.batch, outcome);
  }

  /** Returns the endpoint to send to once the batch has its numbers, or undefined if it is not sent. */
  async #number(task: BatchTask, first: Endpoint): Promise<Endpoint | undefined> {
    const { numbering } = this.#deps;
    const waiting = (limit: number) => this.#lanes.waiting(task.batch.webhookId, limit);
    let endpoint = first;
    while (!numbering.apply(task, waiting)) {
      await numbering.write(task, waiting);
      if (this.#isAbandoned) return undefined;
      const choice = chooseEndpoint(task.batch, this.#deps);
      if ('outcome' in choice) {
        this.#complete(task, choice.outcome);
        return undefined;
      }
      ({ endpoint } = choice);
    }
    return endpoint;
  }

  #completeWhenRemoved(task: BatchTask, outcome: Outcome): void {
    this.#deps.removal
      .remove(task.batch.webhookId)
      .then((isRemoved) => {
        if (isRemoved && !this.#isAbandoned) this.#complete(task, outcome);
      })
      .catch(this.#deps.onBug);
  }

  #dropWaiting({ webhookId }: WebhookBatch): void {
    for (const task of this.#lanes.takeWaiting(webhookId)) {
      this.#complete(task, { kind: 'dropped', reason: goneReason });
    }
  }

  /** Applies the outcome of a request to the webhook's breaker and to its waiting batches. */
  #reactToReceiver({ webhookId }: WebhookBatch, outcome: Outcome): void {
    if (outcome.kind === 'delivered') this.#breakers.recordSuccess(webhookId);
    else if (outcome.kind === 'retried' || outcome.kind === 'dead') {
      const patience = 'patience' in outcome ? outcome.patience : undefined;
      this.#breakers.recordFailure(webhookId, patience?.notBefore);
      for (const task of this.#lanes.takeWaiting(webhookId)) {
        this.#holdBackOrPostpone(task, 'an earlier batch failed');
      }
    }
  }
}

function isSent(outcome: Outcome): boolean {
  return 'request' in outcome && outcome.request !== undefined;
}

function logOutcome(log: Logger, task: BatchTask, outcome: Outcome): void {
  const { webhookId, batchId, traceparent } = task.batch;
  const trace = traceparent === undefined ? {} : { traceId: traceIdOf(traceparent) };
  const seen = { webhookId, batchId, ending: outcome.kind, ...trace };
  if (outcome.kind === 'delivered') log.debug(seen, 'webhook request');
  else log.warn({ ...seen, reason: reasonOf(outcome) }, 'webhook request failed');
}
