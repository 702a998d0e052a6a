import type { Room } from '../intake/memory-budget.ts';
import type { BatchTask } from '../intake/receive-batch.ts';
import type { Lanes } from './lanes.ts';
import { byPlace, type Ordering } from './ordering.ts';

/**
 * Holds back batches of ordered webhooks in memory while an earlier batch waits. In a retry topic they would be behind
 * batches that are due later, and would block later batches of their webhook. They have no outcome until they are
 * released, so a process that takes over the partition reads them again.
 */
export interface Holdback {
  /** Returns false if the batch does not have to wait, or if memory is short. */
  hold(task: BatchTask): boolean;
  /** Called when a batch of this webhook has an outcome. Returns batches that no longer have to wait to the lane, in order. */
  resume(webhookId: string): void;
}

interface HoldbackDeps {
  readonly ordering: Pick<Ordering, 'isBlocked'>;
  readonly lanes: Pick<Lanes<BatchTask>, 'add' | 'takeWaiting'>;
  free(): Room;
}

/** Per partition. Outcomes behind a held batch are metadata of the committed position, whose size is limited. */
const MAX_HELD_BACK = 500;

export function createHoldback({ ordering, lanes, free }: HoldbackDeps): Holdback {
  const held = new Map<string, BatchTask[]>();
  let count = 0;
  let bytes = 0;

  /** Held batches may use as much memory as they leave for others. */
  function hasRoom(): boolean {
    const room = free();
    return count < Math.min(MAX_HELD_BACK, room.batches) && bytes < room.bytes;
  }

  function release(webhookId: string): void {
    const tasks = held.get(webhookId) ?? [];
    const [first] = tasks.toSorted(inOrder);
    if (first === undefined || ordering.isBlocked(first.batch)) return;
    held.delete(webhookId);
    count -= tasks.length;
    for (const task of tasks) bytes -= task.bytes;
    for (const task of [...lanes.takeWaiting(webhookId), ...tasks].toSorted(inOrder)) {
      lanes.add(webhookId, task, task.bytes);
    }
  }

  return {
    hold(task) {
      if (!hasRoom() || !ordering.isBlocked(task.batch)) return false;
      const { webhookId } = task.batch;
      const tasks = held.get(webhookId) ?? [];
      held.set(webhookId, tasks);
      tasks.push(task);
      count += 1;
      bytes += task.bytes;
      return true;
    },
    resume(webhookId) {
      // Deferred, because the lane may be in the middle of its turn.
      if (held.has(webhookId)) queueMicrotask(() => release(webhookId));
    },
  };
}

function inOrder({ batch: one }: BatchTask, { batch: other }: BatchTask): number {
  return byPlace(one, other);
}
