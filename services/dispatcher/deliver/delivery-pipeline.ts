/**
 * Handles the batches of one partition, from reading them to deciding their outcomes.
 *
 *   offered ──not due, no room──▶ offered again
 *      ├── of a later version ───────────────────▶ offered again until an upgrade; blocks its topic
 *      ├── not a batch ──────────────────────────▶ dead letter
 *      ├── queue full, keeps up ─────────────────▶ overflowed
 *      ├── breaker open, or queue full and slow ─▶ held, or postponed
 *      ▼
 *   in its queue ──its turn─▶ no endpoint ───────▶ postponed, dropped, dead
 *      ▲  │                   earlier one waits ─▶ held, or postponed
 *      │  │                   request ───────────▶ delivered, retried, dead; after a 410 dropped, once the webhook
 *      │  │                                        is removed
 *      │  └── the batch before it failed ────────▶ held, or postponed
 *      └───── the earlier batch has its outcome
 *
 * If there is room, a batch of an ordered webhook is held in memory while an earlier one waits
 * (scheduling/webhook-order.ts). Every outcome goes to the recorder, until `abandon` is called.
 */
import type { Logger } from 'pino';
import type { LaterVersion } from '../../../shared/events/later-version.ts';
import { isTestBatch, type WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { traceIdOf } from '../../../shared/runtime/trace.ts';
import type { DeliveryContext } from '../context.ts';
import { chooseEndpoint, deliverBatch, goneReason, postponed } from './deliver-batch.ts';
import type { Offer } from './intake/fetch-batches.ts';
import { type BatchReceiver, createReceiveBatch, type Placement } from './intake/receive-batch.ts';
import type { Numbering } from './numbering/numbering.ts';
import { type Outcome, reasonOf, toMessages, toUnreadableLetter } from './outcome/outcome.ts';
import { WebhookRemoval } from './outcome/webhook-removal.ts';
import type { BatchTask, PartitionWindow } from './progress/in-flight-window.ts';
import type { PartitionProgress } from './progress/partition-progress.ts';
import type { Completion, Recorder } from './progress/recorder.ts';
import type { Endpoint } from './request/endpoints.ts';
import { CircuitBreakers } from './scheduling/circuit-breakers.ts';
import type {
  QueueBacklog,
  RequestSource,
  ScheduledRequest,
  WebhookQueues,
} from './scheduling/request-scheduler.ts';
import type { RequestKind } from './scheduling/run-quota.ts';
import type { WebhookOrder } from './scheduling/webhook-order.ts';

export class DeliveryPipeline implements BatchReceiver, RequestSource<BatchTask> {
  /** Decides what happens to the next message of the partition. */
  readonly offer: Offer;
  readonly order: WebhookOrder;
  readonly numbering: Numbering;
  readonly window: PartitionWindow;
  readonly breakers: CircuitBreakers;
  readonly onBug: (error: unknown) => void;
  readonly #context: DeliveryContext;
  readonly #recorder: Recorder;
  readonly #removal: WebhookRemoval;
  readonly #queues: WebhookQueues<BatchTask>;
  #isAbandoned = false;
  #isHeld = false;

  constructor(
    context: DeliveryContext,
    parts: {
      readonly order: WebhookOrder;
      readonly numbering: Numbering;
      readonly recorder: Recorder;
      onBug(error: unknown): void;
    },
  ) {
    const { breakers, clock, config, directory, scheduler, window } = context;
    this.#context = context;
    this.order = parts.order;
    this.onBug = parts.onBug;
    this.numbering = parts.numbering;
    this.#recorder = parts.recorder;
    this.#removal = new WebhookRemoval(context);
    this.window = window.open();
    this.breakers = new CircuitBreakers(
      (webhookId) => directory.record('Webhook', webhookId)?.values['url'],
      config.delivery.failAttemptPeriodMs,
      clock.now,
    );
    breakers.add(this.breakers);
    this.#queues = scheduler.open(this);
    this.offer = createReceiveBatch(context, this);
  }

  /**
   * Returns true if a batch from a later version blocks the partition. The block lasts until another process takes
   * over.
   */
  isHeld(): boolean {
    return this.#isHeld;
  }

  /** Starts no further requests, and resolves when all requests in flight have ended. */
  drained(): Promise<void> {
    return this.#queues.drained();
  }

  /** Ignores the outcomes of all requests that end after this call. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#removal.close();
    this.numbering.close();
    void this.drained();
    this.#context.breakers.delete(this.breakers);
    this.window.close();
  }

  backlog(batch: WebhookBatch): QueueBacklog {
    return this.#queues.backlog(queueOf(batch));
  }

  place(task: BatchTask, placement: Placement): void {
    this.window.take(task.bytes);
    if (placement === 'overflow') this.#complete(task, { kind: 'overflowed' });
    else if (placement !== 'queue') this.#holdOrPostpone(task, placement.reason);
    else this.#queues.add(queueOf(task.batch), task, task.bytes);
  }

  waitForUpgrade(
    { offset }: ReadMessage,
    { topic, partition }: PartitionProgress,
    err: LaterVersion,
  ): void {
    this.#isHeld = true;
    this.#context.log.warn({ err, topic, partition, offset }, 'delivery waits for an upgrade');
  }

  reject(message: ReadMessage, progress: PartitionProgress, reason: string): void {
    const { counts, log, topics } = this.#context;
    const { offset, value } = message;
    log.error({ topic: progress.topic, offset, reason }, 'message moved to the dead letters');
    const bytes = value?.length ?? 0;
    this.window.take(bytes);
    counts.unreadable += 1;
    const messages = [toUnreadableLetter(message, reason, topics)];
    this.#record({ progress, offset, messages }, bytes);
  }

  kindOf({ batch }: BatchTask): RequestKind {
    if (isTestBatch(batch)) return 'test';
    return batch.attemptsMade > 0 ? 'retry' : 'first';
  }

  prepare(task: BatchTask): ScheduledRequest | undefined {
    const choice = chooseEndpoint(task.batch, this.#removal, this.#context);
    if ('outcome' in choice) this.#complete(task, choice.outcome);
    else if (this.order.isBlocked(task.batch)) {
      this.#holdOrPostpone(task, 'an earlier batch has not ended');
    } else {
      const { endpoint } = choice;
      return { origin: endpoint.origin, run: () => this.#send(task, endpoint) };
    }
    return undefined;
  }

  onRoom(): void {
    this.#context.batches.resume();
    this.#context.retries.resume();
  }

  #complete(task: BatchTask, outcome: Outcome): void {
    const { counts, observe } = this.#context;
    const { batch, progress } = task;
    const { webhookId } = batch;
    if (!('request' in outcome) || outcome.request === undefined) this.numbering.release(batch);
    this.order.recordOutcome(batch, outcome);
    counts[outcome.kind] += 1;
    observe(outcome);
    this.window.end(task);
    const context = this.#context;
    const messages = toMessages(batch, outcome, { from: progress.topic, context });
    this.#record({ ...task, messages }, task.bytes, () => this.numbering.forget(batch));
    // Deferred, because the queue may still be processing a batch.
    if (this.order.hasHeld(webhookId)) queueMicrotask(() => this.#releaseHeld(webhookId));
  }

  /** Records a completion, and then frees the memory of its batch. */
  #record(completion: Omit<Completion, 'onRecorded'>, bytes: number, onEnd?: () => void): void {
    const { progress, offset, messages } = completion;
    const onRecorded = () => {
      onEnd?.();
      this.window.release(bytes);
      this.onRoom();
    };
    this.#recorder.record({ progress, offset, messages, onRecorded });
  }

  #holdOrPostpone(task: BatchTask, reason: string): void {
    if (this.order.hold(task, this.window.free())) return;
    this.#complete(task, postponed(reason, this.#context));
  }

  /** Puts held batches that no longer have to wait back into their queue, in order. */
  #releaseHeld(webhookId: string): void {
    const takeWaiting = () => this.#queues.takeWaiting(webhookId);
    for (const task of this.order.release(webhookId, takeWaiting)) {
      this.#queues.add(webhookId, task, task.bytes);
    }
  }

  async #send(task: BatchTask, endpoint: Endpoint): Promise<void> {
    const current = await this.#number(task, endpoint);
    if (current === undefined) return;
    this.#context.counts.started += 1;
    const { outcome, isGone } = await deliverBatch(task.batch, current, this.#context);
    if (this.#isAbandoned) return;
    if (isGone) this.#completeWhenRemoved(task, outcome);
    else this.#complete(task, outcome);
    logOutcome(this.#context.log, task, outcome);
    if (isGone) this.#dropWaiting(task.batch);
    else this.#reactToReceiver(task.batch, outcome);
  }

  /**
   * Assigns numbers to the batch, and then resolves with the endpoint to send it to; resolves with undefined if the
   * batch is not to be sent.
   */
  async #number(task: BatchTask, first: Endpoint): Promise<Endpoint | undefined> {
    const waiting = (limit: number) => this.#queues.waiting(task.batch.webhookId, limit);
    let endpoint = first;
    while (!this.numbering.apply(task, waiting)) {
      await this.numbering.write(task, waiting);
      if (this.#isAbandoned) return undefined;
      const choice = chooseEndpoint(task.batch, this.#removal, this.#context);
      if ('outcome' in choice) {
        this.#complete(task, choice.outcome);
        return undefined;
      }
      ({ endpoint } = choice);
    }
    return endpoint;
  }

  #completeWhenRemoved(task: BatchTask, outcome: Outcome): void {
    this.#removal
      .remove(task.batch.webhookId)
      .then((isRemoved) => {
        if (isRemoved && !this.#isAbandoned) this.#complete(task, outcome);
      })
      .catch(this.onBug);
  }

  #dropWaiting({ webhookId }: WebhookBatch): void {
    for (const task of this.#queues.takeWaiting(webhookId)) {
      this.#complete(task, { kind: 'dropped', reason: goneReason });
    }
  }

  /** Updates the webhook's breaker and its waiting batches after a request. */
  #reactToReceiver({ webhookId }: WebhookBatch, outcome: Outcome): void {
    if (outcome.kind === 'delivered') this.breakers.recordSuccess(webhookId);
    else if (outcome.kind === 'retried' || outcome.kind === 'dead') {
      const patience = 'patience' in outcome ? outcome.patience : undefined;
      this.breakers.recordFailure(webhookId, patience?.notBefore);
      for (const task of this.#queues.takeWaiting(webhookId)) {
        this.#holdOrPostpone(task, 'an earlier batch failed');
      }
    }
  }
}

/** Test batches have separate queues, so they do not wait for their webhook's other batches. */
function queueOf(batch: WebhookBatch): string {
  return isTestBatch(batch) ? `test/${batch.webhookId}` : batch.webhookId;
}

function logOutcome(log: Logger, task: BatchTask, outcome: Outcome): void {
  const { webhookId, batchId, traceparent } = task.batch;
  const trace = traceparent === undefined ? {} : { traceId: traceIdOf(traceparent) };
  const seen = { webhookId, batchId, ending: outcome.kind, ...trace };
  if (outcome.kind === 'delivered') log.debug(seen, 'webhook request');
  else log.warn({ ...seen, reason: reasonOf(outcome) }, 'webhook request failed');
}
