import type { ReceiverDirectory } from '../../../../shared/events/events-for-receiver.ts';
import { isTestBatch, type WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { BatchTask, Room } from '../progress/in-flight-window.ts';

/** The place of a batch in its webhook's order. */
type OrderKey = Readonly<{ batchId: string; enqueuedAt: number }>;

/**
 * The maximum per partition. The outcomes behind a held batch are stored in the committed position's metadata, whose
 * size is limited.
 */
const MAX_HELD = 500;

/**
 * The order of each webhook's batches in one partition, kept in memory. A process that takes over the partition reads
 * the waiting batches from the topics (restore-waiting.ts).
 *
 * - While batches of a webhook are in the overflow, its new batches follow them.
 * - A batch of an `ordered` webhook is sent only when no earlier one waits in a retry topic. Until then, it is held in
 *   memory: in a retry topic, it would be behind batches that are due later, and would block later batches of its
 *   webhook. A held batch has no outcome, so a process that takes over the partition reads it again.
 */
export class WebhookOrder {
  readonly #directory: ReceiverDirectory;
  /** The number of batches in the overflow, by webhook. */
  readonly #overflow = new Map<string, number>();
  /** The batches of ordered webhooks in retry topics, by webhook and id. */
  readonly #retries = new Map<string, Map<string, OrderKey>>();
  readonly #held = new Map<string, BatchTask[]>();
  #heldCount = 0;
  #heldBytes = 0;

  constructor(directory: ReceiverDirectory) {
    this.#directory = directory;
  }

  hasOverflow(webhookId: string): boolean {
    return this.#overflow.has(webhookId);
  }

  enterOverflow(webhookId: string): void {
    this.#overflow.set(webhookId, (this.#overflow.get(webhookId) ?? 0) + 1);
  }

  leaveOverflow(webhookId: string): void {
    const left = (this.#overflow.get(webhookId) ?? 0) - 1;
    if (left > 0) this.#overflow.set(webhookId, left);
    else this.#overflow.delete(webhookId);
  }

  /** Adds a batch that waits in a retry topic. */
  addRetry({ webhookId, batchId, enqueuedAt }: WebhookBatch): void {
    if (this.#directory.record('Webhook', webhookId)?.values['ordered'] !== true) return;
    const retries = this.#retries.get(webhookId) ?? new Map<string, OrderKey>();
    this.#retries.set(webhookId, retries);
    retries.set(batchId, { batchId, enqueuedAt });
  }

  recordOutcome(batch: WebhookBatch, { kind }: Outcome): void {
    // A batch in the overflow keeps its place, because later batches cannot overtake it.
    if (kind === 'overflowed') return;
    if (kind === 'retried' || kind === 'postponed') {
      this.addRetry(batch);
      return;
    }
    const retries = this.#retries.get(batch.webhookId);
    retries?.delete(batch.batchId);
    if (retries?.size === 0) this.#retries.delete(batch.webhookId);
  }

  /** Returns true if an earlier batch of the webhook waits for another attempt. */
  isBlocked(batch: WebhookBatch): boolean {
    const retries = this.#retries.get(batch.webhookId);
    if (retries === undefined || isTestBatch(batch)) return false;
    return retries.values().some((retry) => byOrder(retry, batch) < 0);
  }

  /** Holds a batch. Returns false if the batch does not have to wait, or if memory is short. */
  hold(task: BatchTask, free: Room): boolean {
    // Held batches may use as much memory as they leave free.
    const hasRoom =
      this.#heldCount < Math.min(MAX_HELD, free.batches) && this.#heldBytes < free.bytes;
    if (!hasRoom || !this.isBlocked(task.batch)) return false;
    const { webhookId } = task.batch;
    const tasks = this.#held.get(webhookId) ?? [];
    this.#held.set(webhookId, tasks);
    tasks.push(task);
    this.#heldCount += 1;
    this.#heldBytes += task.bytes;
    return true;
  }

  hasHeld(webhookId: string): boolean {
    return this.#held.has(webhookId);
  }

  /**
   * Returns a webhook's held batches together with those waiting in its queue, in order. Returns none while the first
   * held batch is blocked.
   */
  release(webhookId: string, takeWaiting: () => readonly BatchTask[]): readonly BatchTask[] {
    const tasks = this.#held.get(webhookId) ?? [];
    const [first] = tasks.toSorted(byTaskOrder);
    if (first === undefined || this.isBlocked(first.batch)) return [];
    this.#held.delete(webhookId);
    this.#heldCount -= tasks.length;
    for (const { bytes } of tasks) this.#heldBytes -= bytes;
    return [...takeWaiting(), ...tasks].toSorted(byTaskOrder);
  }
}

/** Ids from the same millisecond are in order, because one process creates them as UUIDs of version 7. */
function byOrder(one: OrderKey, other: OrderKey): number {
  if (one.enqueuedAt !== other.enqueuedAt) return one.enqueuedAt - other.enqueuedAt;
  return one.batchId < other.batchId ? -1 : Number(one.batchId > other.batchId);
}

function byTaskOrder({ batch: one }: BatchTask, { batch: other }: BatchTask): number {
  return byOrder(one, other);
}
