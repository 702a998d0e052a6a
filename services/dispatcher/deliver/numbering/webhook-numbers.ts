import { UnreadableMessage } from '../../../../shared/domain/errors.ts';
import { payloadFormatOf } from '../../../../shared/domain/webhook/format/payload-formats.ts';
import { toWebhook } from '../../../../shared/domain/webhook/record/webhook.ts';
import {
  eventsForReceiver,
  type ReceiverDirectory,
} from '../../../../shared/events/events-for-receiver.ts';
import { isTestBatch, type WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { BatchTask } from '../progress/in-flight-window.ts';
import type { Assignment } from './webhook-sequences.ts';

interface Assigned {
  readonly assignment: Assignment;
  isWritten: boolean;
  /** True if the numbers were sent, or may have been sent by a previous owner. They can then no longer change. */
  isSent: boolean;
}

/** The state of a webhook's numbers that must be written to the log. */
interface NumbersSnapshot {
  readonly last: number;
  readonly assignments: readonly Assignment[];
  /** Called when the log contains this state. */
  onWritten(): void;
}

/**
 * The numbers of one webhook's batches that have no recorded outcome. Methods that return a boolean return true if the
 * log must be updated.
 */
export class WebhookNumbers {
  readonly #directory: ReceiverDirectory;
  /** By batch id, in the order of the numbers. */
  readonly #assigned: Map<string, Assigned>;
  /** The last number that may have been sent. */
  #last: number;

  /** `assignments` were written by a previous owner. */
  constructor(last: number, assignments: readonly Assignment[], directory: ReceiverDirectory) {
    this.#last = last;
    this.#directory = directory;
    this.#assigned = new Map(
      assignments.map((assignment) => [
        assignment.batchId,
        { assignment, isWritten: true, isSent: true },
      ]),
    );
  }

  has({ batchId }: WebhookBatch): boolean {
    return this.#assigned.has(batchId);
  }

  /** Returns the batch with the numbers under which it may have been sent, if any. */
  restore(batch: WebhookBatch): WebhookBatch {
    // Earlier versions of Annals numbered events when they enqueued them.
    for (const { sequence = 0 } of batch.events) this.#last = Math.max(this.#last, sequence);
    const known = this.#assigned.get(batch.batchId);
    if (known?.isSent !== true || !needsNumbers(batch)) return batch;
    return withNumbers(batch, known.assignment);
  }

  /** Returns the batch to send now; undefined if its numbers must be written first. */
  send(task: BatchTask): WebhookBatch | undefined {
    const { batch } = task;
    const known = this.#assigned.get(batch.batchId);
    if (known?.isSent === true) return withNumbers(batch, known.assignment);
    const wanted = assign(task, this.#last + 1, this.#directory);
    if (wanted === undefined) return batch;
    if (known?.isWritten !== true || !isSame(known.assignment, wanted)) return undefined;
    known.isSent = true;
    this.#last = wanted.last;
    return withNumbers(batch, wanted);
  }

  /** Assigns numbers to the unsent batches in the list, and withdraws those of all other unsent batches. */
  plan(tasks: readonly BatchTask[]): boolean {
    const before = this.unsent();
    const planned: Assigned[] = [];
    for (const task of tasks) {
      const last = planned.at(-1)?.assignment.last ?? this.#last;
      const assigned = this.#planOne(task, last + 1);
      if (assigned !== undefined) planned.push(assigned);
    }
    if (planned.length === before.length && planned.every((one, at) => one === before[at]))
      return false;
    for (const { assignment } of before) this.#assigned.delete(assignment.batchId);
    for (const one of planned) this.#assigned.set(one.assignment.batchId, one);
    return true;
  }

  #planOne(task: BatchTask, first: number): Assigned | undefined {
    const known = this.#assigned.get(task.batch.batchId);
    if (known?.isSent === true || !needsNumbers(task.batch)) return undefined;
    const wanted = assign(task, first, this.#directory);
    if (wanted === undefined) return undefined;
    if (known !== undefined && isSame(known.assignment, wanted)) return known;
    return { assignment: wanted, isWritten: false, isSent: false };
  }

  unsent(): readonly Assigned[] {
    return [...this.#assigned.values()].filter(({ isSent }) => !isSent);
  }

  /**
   * Withdraws all unsent numbers if the batch has any of them. Called when the batch gets an outcome without a request.
   */
  release({ batchId }: WebhookBatch): boolean {
    return this.#assigned.get(batchId)?.isSent === false && this.releaseUnsent();
  }

  releaseUnsent(): boolean {
    const unsent = this.unsent();
    for (const { assignment } of unsent) this.#assigned.delete(assignment.batchId);
    return unsent.length > 0;
  }

  /** Called when the outcome of the batch is recorded. */
  forget({ batchId }: WebhookBatch): void {
    this.#assigned.delete(batchId);
  }

  snapshot(): NumbersSnapshot {
    const all = [...this.#assigned.values()];
    return {
      last: Math.max(this.#last, ...all.map(({ assignment }) => assignment.last)),
      assignments: all.map(({ assignment }) => assignment),
      onWritten() {
        for (const one of all) one.isWritten = true;
      },
    };
  }
}

/** Returns true if events of the batch can have numbers. */
export function canHaveNumbers({ payloadFormat, replayId, ...batch }: WebhookBatch): boolean {
  const { hasEnvelope } = payloadFormatOf(payloadFormat);
  return hasEnvelope && replayId === undefined && !isTestBatch(batch);
}

/** Returns true if the batch must get numbers before its next request: it has not been sent and has no numbers yet. */
export function needsNumbers(batch: WebhookBatch): boolean {
  const isNumbered = batch.events.some(({ sequence }) => sequence !== undefined);
  return canHaveNumbers(batch) && batch.attemptsMade === 0 && !isNumbered;
}

/** Returns the numbers of a batch's readable events, starting at `first`; undefined if no event would be sent. */
function assign(
  { batch, progress, offset }: BatchTask,
  first: number,
  directory: ReceiverDirectory,
): Assignment | undefined {
  const readable = readableIndexes(batch, directory);
  if (readable.size === 0) return undefined;
  return {
    batchId: batch.batchId,
    topic: progress.topic,
    offset: offset.toString(),
    first,
    last: first + readable.size - 1,
    without: [...batch.events.keys()].filter((index) => !readable.has(index)),
  };
}

/**
 * Returns the indexes of the events that the receiver may read. Returns none for an unreadable payload, because its
 * batch becomes a dead letter without a request.
 */
function readableIndexes(
  { webhookId, events }: WebhookBatch,
  directory: ReceiverDirectory,
): ReadonlySet<number> {
  const webhook = directory.record('Webhook', webhookId);
  if (webhook === undefined) return new Set();
  // The filter copies events, so each event temporarily has its index as its number.
  const indexed = events.map((event, index) => ({ ...event, sequence: index }));
  try {
    const readable = eventsForReceiver(indexed, toWebhook(webhook), directory);
    return new Set(readable.map(({ sequence = 0 }) => sequence));
  } catch (error) {
    if (error instanceof UnreadableMessage) return new Set();
    throw error;
  }
}

function withNumbers(batch: WebhookBatch, { first, without }: Assignment): WebhookBatch {
  const missing = new Set(without);
  let next = first;
  const events = batch.events.map((event, index) => {
    if (missing.has(index)) return event;
    const sequence = next;
    next += 1;
    return { ...event, sequence };
  });
  return { ...batch, events };
}

function isSame(one: Assignment, other: Assignment): boolean {
  return one.first === other.first && String(one.without) === String(other.without);
}
