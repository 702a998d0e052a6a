/**
 * Numbers the events of webhooks whose payload format has an envelope: 1, 2, 3 … in the order in which they are first sent.
 *
 *   in its lane ──planned──▶ written to webhook-sequences ──first request──▶ sent ──outcome recorded──▶ forgotten
 *                  ▲                     │
 *                  └─────────────────────┴── its readable events changed, or an earlier batch ended without a request
 *
 * Numbers are in the log before the request that sends them. A successor therefore sends the same numbers again: it keeps the
 * assignment of each batch whose outcome is not recorded, and continues after the last one. A batch that is postponed without a
 * request gives its numbers back, in the transaction that records this outcome or in an earlier one.
 *
 * The recorder writes assignments with its next transaction. The next batches of a lane are numbered in advance, so that a busy
 * webhook does not wait for a transaction per request.
 */
import type { ReceiverDirectory } from '../../../../shared/events/events-for-receiver.ts';
import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { BatchTask } from '../intake/receive-batch.ts';
import type { SequenceWrite } from '../progress/run-recorder.ts';
import { canHaveNumbers, needsNumbers, WebhookNumbers } from './webhook-numbers.ts';
import {
  type Assignment,
  lastSequence,
  type StoredSequences,
  storedAssignments,
  toSequenceMessages,
} from './webhook-sequences.ts';

interface NumberingDeps {
  readonly directory: ReceiverDirectory;
  /** The compacted topic. */
  readonly topic: string;
  readonly stored: StoredSequences;
  /** Whether the outcome of the batch at this place is recorded. */
  isRecorded(place: Pick<Assignment, 'topic' | 'offset'>): boolean;
  /** Called when there is something to write. */
  onChange(): void;
}

/** Returns the first batches that wait in the lane of a webhook. */
type WaitingTasks = (limit: number) => readonly BatchTask[];

export interface Numbering {
  /** Returns the batch with the numbers that it may already have been sent with. Called for each batch that is read. */
  restore(batch: WebhookBatch): WebhookBatch;
  /**
   * Adds the numbers to the batch, right before its request is built. Returns false if they have to be written first. A
   * batch that needs no numbers is left unchanged.
   */
  apply(task: BatchTask, waiting: WaitingTasks): boolean;
  /** Resolves after the next write. The numbers may be outdated by then: call `apply` again. */
  write(task: BatchTask, waiting: WaitingTasks): Promise<void>;
  /** Called when a batch has an outcome without a request. */
  release(batch: WebhookBatch): void;
  /** Called when the outcome of a batch is recorded. */
  forget(batch: WebhookBatch): void;
  /** Returns the entries for the next transaction. */
  takeWrite(): SequenceWrite;
  /** Withdraws all numbers that were not sent. */
  close(): void;
}

/**
 * The number of batches of a webhook that are numbered in advance. Half of them have to last for a transaction and the pause
 * after it, also if a receiver responds within a millisecond.
 */
const BATCHES_AHEAD = 200;

export function createNumbering(deps: NumberingDeps): Numbering {
  const { directory, stored, topic } = deps;
  const webhooks = new Map<string, WebhookNumbers>();
  const changed = new Set<string>();
  let nextWrite = Promise.withResolvers<void>();

  function numbersOf(webhookId: string): WebhookNumbers {
    const known = webhooks.get(webhookId);
    if (known !== undefined) return known;
    const open = storedAssignments(stored, webhookId).filter((one) => !deps.isRecorded(one));
    const numbers = new WebhookNumbers(lastSequence(stored, webhookId), open, directory);
    webhooks.set(webhookId, numbers);
    return numbers;
  }

  function updateIf(isChanged: boolean, webhookId: string): void {
    if (!isChanged) return;
    changed.add(webhookId);
    deps.onChange();
  }

  function planAhead(webhookId: string, waiting: WaitingTasks): void {
    const numbers = numbersOf(webhookId);
    if (numbers.unsent().length > BATCHES_AHEAD / 2) return;
    const tasks = waiting(BATCHES_AHEAD);
    const isUnplanned = tasks.some(({ batch }) => needsNumbers(batch) && !numbers.has(batch));
    if (isUnplanned) updateIf(numbers.plan(tasks), webhookId);
  }

  return {
    restore: (batch) => (canHaveNumbers(batch) ? numbersOf(batch.webhookId).restore(batch) : batch),
    apply(task, waiting) {
      const { webhookId } = task.batch;
      if (!needsNumbers(task.batch)) return true;
      const batch = numbersOf(webhookId).send(task);
      if (batch === undefined) return false;
      task.batch = batch;
      planAhead(webhookId, waiting);
      return true;
    },
    write(task, waiting) {
      const { webhookId } = task.batch;
      updateIf(numbersOf(webhookId).plan([task, ...waiting(BATCHES_AHEAD)]), webhookId);
      return nextWrite.promise;
    },
    release: (batch) =>
      updateIf(webhooks.get(batch.webhookId)?.release(batch) === true, batch.webhookId),
    forget: (batch) => webhooks.get(batch.webhookId)?.forget(batch),
    takeWrite() {
      const snapshots = [...changed].map((id) => [id, numbersOf(id).snapshot()] as const);
      changed.clear();
      return {
        messages: snapshots.flatMap(([id, numbers]) => toSequenceMessages(topic, id, numbers)),
        onCommitted() {
          for (const [, snapshot] of snapshots) snapshot.onWritten();
          nextWrite.resolve();
          nextWrite = Promise.withResolvers();
        },
      };
    },
    close() {
      for (const [id, numbers] of webhooks) updateIf(numbers.releaseUnsent(), id);
      nextWrite.resolve();
    },
  };
}
