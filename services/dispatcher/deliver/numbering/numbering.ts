/**
 * Numbers the events of webhooks whose payload format has an envelope: 1, 2, 3 … in the order in which they are first
 * sent.
 *
 *   in its queue ─planned──▶ written to webhook-sequences ──first request──▶ sent ──outcome recorded──▶ forgotten
 *                  ▲                     │
 *                  └─────────────────────┴── its readable events changed, or an earlier batch ended without a request
 *
 * Numbers are written to the log before the request that contains them. The next owner of the partition therefore sends
 * the same numbers again: it keeps the assignment of each batch whose outcome is not recorded, and continues after the
 * last number. If a batch is postponed without a request, its numbers are withdrawn, in the transaction that records
 * this outcome or in an earlier one.
 *
 * The recorder writes assignments with its next transaction. The next batches of a queue are numbered in advance, so
 * that a busy webhook does not wait for a transaction before each request.
 */
import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { DispatcherContext } from '../../context.ts';
import type { BatchTask } from '../progress/in-flight-window.ts';
import type { SequenceWrite } from '../progress/recorder.ts';
import { canHaveNumbers, needsNumbers, WebhookNumbers } from './webhook-numbers.ts';
import {
  type Assignment,
  lastSequence,
  type StoredSequences,
  storedAssignments,
  toSequenceMessages,
} from './webhook-sequences.ts';

/** Returns the first batches waiting in a webhook's queue. */
type WaitingTasks = (limit: number) => readonly BatchTask[];

/**
 * The number of batches that are numbered in advance per webhook. Half of them must last for a transaction and the
 * pause that follows, even if the receiver responds within a millisecond.
 */
const BATCHES_AHEAD = 200;

interface NumberingOptions {
  /** Returns true if the outcome of the batch at this place has been recorded. */
  isRecorded(place: Assignment): boolean;
  /** Called when there are assignments to write. */
  onChange(): void;
}

export class Numbering {
  readonly #context: DispatcherContext;
  readonly #stored: StoredSequences;
  readonly #options: NumberingOptions;
  readonly #webhooks = new Map<string, WebhookNumbers>();
  readonly #changed = new Set<string>();
  #nextWrite = Promise.withResolvers<void>();

  constructor(context: DispatcherContext, stored: StoredSequences, options: NumberingOptions) {
    this.#context = context;
    this.#stored = stored;
    this.#options = options;
  }

  /**
   * Returns the batch with the numbers under which it may already have been sent, if any. Called for each batch that is
   * read.
   */
  restore(batch: WebhookBatch): WebhookBatch {
    return canHaveNumbers(batch) ? this.#numbersOf(batch).restore(batch) : batch;
  }

  /**
   * Adds the numbers to the batch, right before its request is built. Returns false if the numbers must be written
   * first. Leaves a batch that needs no numbers unchanged.
   */
  apply(task: BatchTask, waiting: WaitingTasks): boolean {
    if (!needsNumbers(task.batch)) return true;
    const batch = this.#numbersOf(task.batch).send(task);
    if (batch === undefined) return false;
    task.batch = batch;
    this.#planAhead(batch, waiting);
    return true;
  }

  /** Resolves after the next write. The numbers may be outdated by then: call `apply` again. */
  write(task: BatchTask, waiting: WaitingTasks): Promise<void> {
    const { batch } = task;
    const isChanged = this.#numbersOf(batch).plan([task, ...waiting(BATCHES_AHEAD)]);
    this.#updateIf(isChanged, batch.webhookId);
    return this.#nextWrite.promise;
  }

  /** Called when a batch gets an outcome without a request. */
  release(batch: WebhookBatch): void {
    const isChanged = this.#webhooks.get(batch.webhookId)?.release(batch) === true;
    this.#updateIf(isChanged, batch.webhookId);
  }

  /** Called when the outcome of a batch is recorded. */
  forget(batch: WebhookBatch): void {
    this.#webhooks.get(batch.webhookId)?.forget(batch);
  }

  /** Returns the entries to write in the next transaction. */
  takeWrite(): SequenceWrite {
    const { webhookSequences } = this.#context.topics;
    const snapshots = [...this.#changed].flatMap((webhookId) => {
      const numbers = this.#webhooks.get(webhookId);
      return numbers === undefined ? [] : [{ webhookId, ...numbers.snapshot() }];
    });
    this.#changed.clear();
    return {
      messages: snapshots.flatMap((one) =>
        toSequenceMessages(webhookSequences, one.webhookId, one),
      ),
      onCommitted: () => {
        for (const { onWritten } of snapshots) onWritten();
        this.#nextWrite.resolve();
        this.#nextWrite = Promise.withResolvers();
      },
    };
  }

  /** Withdraws all numbers that were not sent. */
  close(): void {
    for (const [id, numbers] of this.#webhooks) this.#updateIf(numbers.releaseUnsent(), id);
    this.#nextWrite.resolve();
  }

  #numbersOf({ webhookId }: WebhookBatch): WebhookNumbers {
    const known = this.#webhooks.get(webhookId);
    if (known !== undefined) return known;
    const open = storedAssignments(this.#stored, webhookId).filter(
      (one) => !this.#options.isRecorded(one),
    );
    const last = lastSequence(this.#stored, webhookId);
    const numbers = new WebhookNumbers(last, open, this.#context.directory);
    this.#webhooks.set(webhookId, numbers);
    return numbers;
  }

  #updateIf(isChanged: boolean, webhookId: string): void {
    if (!isChanged) return;
    this.#changed.add(webhookId);
    this.#options.onChange();
  }

  #planAhead(batch: WebhookBatch, waiting: WaitingTasks): void {
    const numbers = this.#numbersOf(batch);
    if (numbers.unsent().length > BATCHES_AHEAD / 2) return;
    const tasks = waiting(BATCHES_AHEAD);
    const isUnplanned = tasks.some((task) => needsNumbers(task.batch) && !numbers.has(task.batch));
    if (isUnplanned) this.#updateIf(numbers.plan(tasks), batch.webhookId);
  }
}
