import type { Head } from '../../../services/operations/tail/find-heads.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';

/**
 * Takes events that can be shown now, in order of time. While a partition still has unread past entries, it may have an
 * earlier event, so the others wait. Within a partition, and so for each record, the order is that of the log, even if a
 * clock was set back.
 */
export function takeInOrder(heads: readonly Head[]): readonly LoggedEvent[] {
  const queues = heads.map((head) => ({ head, next: 0 }));
  const taken: LoggedEvent[] = [];
  for (;;) {
    const isUnclear = queues.some(
      ({ head, next }) => next >= head.waiting.length && head.at.offset < head.end,
    );
    const first = isUnclear ? undefined : earliest(queues);
    const event = first?.head.waiting[first.next];
    if (first === undefined || event === undefined) break;
    taken.push(event);
    first.next += 1;
  }
  for (const { head, next } of queues) head.waiting.splice(0, next);
  return taken;
}

interface Queue {
  readonly head: Head;
  next: number;
}

function earliest(queues: readonly Queue[]): Queue | undefined {
  const timeOf = ({ head, next }: Queue): number =>
    head.waiting[next]?.occurredAt ?? Number.POSITIVE_INFINITY;
  return queues.reduce<Queue | undefined>(
    (first, one) =>
      timeOf(one) < (first === undefined ? Number.POSITIVE_INFINITY : timeOf(first)) ? one : first,
    undefined,
  );
}
