import { parseTime } from '../../language/format.ts';
import { localDay } from '../../language/local-time.ts';
import type { ActivityItem } from './home.ts';

/** An activity in the user's time zone. Days are `2030-01-31`. */
export interface AgendaEntry {
  readonly item: ActivityItem;
  /** The day under which it is listed: its first day, but not before today. That of a task is the day it is due. */
  readonly day: string;
  readonly firstDay: string;
  readonly lastDay: string;
  /** Undefined if it lasts whole days. */
  readonly start: Date | undefined;
  readonly end: Date | undefined;
  /** True if the activity has no duration but a due date. */
  readonly isDue: boolean;
}

interface AgendaDay {
  readonly day: string;
  readonly entries: readonly AgendaEntry[];
}

/** Groups activities by day in the time zone, by default the browser's. Today is always included. Whole days before today are omitted: the server's end in UTC. */
export function toAgenda(
  items: readonly ActivityItem[],
  now: Date,
  zone?: string,
): readonly AgendaDay[] {
  const today = localDay(now, zone);
  const entries = items
    .map((item) => toEntry(item, today, zone))
    .filter(({ lastDay }) => lastDay >= today)
    .toSorted((a, b) => timeOf(a) - timeOf(b));
  const days = new Set([today, ...entries.map(({ day }) => day)]);
  return [...days]
    .toSorted()
    .map((day) => ({ day, entries: entries.filter((entry) => entry.day === day) }));
}

/** Whole days come before times. */
function timeOf({ start, end, isDue }: AgendaEntry): number {
  return (isDue ? end : start)?.getTime() ?? 0;
}

function toEntry(item: ActivityItem, today: string, zone: string | undefined): AgendaEntry {
  const { dateStart, dateStartDate, dateEnd, dateEndDate } = item;
  const start = dateStart ? parseTime(dateStart) : undefined;
  const end = dateEnd ? parseTime(dateEnd) : undefined;
  const startDay = dateStartDate || (start && localDay(start, zone));
  const endDay = dateEndDate || (end && localDay(end, zone));
  const firstDay = startDay ?? endDay ?? today;
  const lastDay = endDay ?? firstDay;
  const isDue = endDay !== undefined && (item._scope === 'Task' || startDay === undefined);
  const day = isDue ? lastDay : firstDay;
  return { item, day: day < today ? today : day, firstDay, lastDay, start, end, isDue };
}
