import type { Head } from '../../../services/system/tail/find-heads.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';

/**
 * Takes the events that can be shown now, in order of time. A partition with unread past entries may contain an earlier
 * event, so all other partitions wait for it. Within a partition, and therefore for each record, events keep their
 * order in the log, even if a clock was set back.
 */
export function takeInOrder(heads: readonly Head[]): readonly LoggedEvent[] {
  const queues = heads.map((head) => ({ head, next: 0 }));
  const timeOf = ({ head, next }: (typeof queues)[number]): number =>
    head.waiting[next]?.occurredAt ?? Number.POSITIVE_INFINITY;
  const taken: LoggedEvent[] = [];
  const isUnclear = () =>
    queues.some(({ head, next }) => next >= head.waiting.length && head.at.offset < head.end);
  while (!isUnclear()) {
    const first = queues.reduce((one, other) => (timeOf(other) < timeOf(one) ? other : one));
    const event = first.head.waiting[first.next];
    if (event === undefined) break;
    taken.push(event);
    first.next += 1;
  }
  for (const { head, next } of queues) head.waiting.splice(0, next);
  return taken;
}
