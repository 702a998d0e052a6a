import type { Room } from '../intake/memory-budget.ts';
import type { BatchTask } from '../intake/receive-batch.ts';
import type { Lanes } from './lanes.ts';
import { byPlace, type Ordering } from './ordering.ts';

/**
 * Holds back, in memory, batches of ordered webhooks that wait for an earlier one. In a retry topic they would stand behind
 * batches that are due later, and block later batches of their webhook in turn. They have no outcome until then, so a
 * process that takes the partition over reads them again.
 */
export interface Holdback {
  /** False if the batch waits for none, or there is no room. */
  hold(task: BatchTask): boolean;
  /** Called when a batch of this webhook ended: the batches that waited for it go back to its lane, in order. */
  resume(webhookId: string): void;
}

interface HoldbackDeps {
  readonly ordering: Pick<Ordering, 'isBlocked'>;
  readonly lanes: Pick<Lanes<BatchTask>, 'add' | 'takeWaiting'>;
  free(): Room;
}

/** Per partition. The committed position has metadata of all later outcomes, whose size is limited. */
const MAX_HELD_BACK = 500;

export function createHoldback({ ordering, lanes, free }: HoldbackDeps): Holdback {
  const held = new Map<string, BatchTask[]>();
  let count = 0;
  let bytes = 0;

  /** As much as is left for all other batches. */
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
      // Deferred: the batch may have ended while its lane is working.
      if (held.has(webhookId)) queueMicrotask(() => release(webhookId));
    },
  };
}

function inOrder({ batch: one }: BatchTask, { batch: other }: BatchTask): number {
  return byPlace(one, other);
}
