import type { AnyRecord } from '../api/records.ts';
import { parseTime } from '../language/format.ts';
import { toUtc } from '../language/local-time.ts';
import { shiftDay } from './dates/month-days.ts';

/** Returns when a task is due; undefined if it has no due date. A whole day ends at midnight in the time zone. */
function dueAt(
  task: Readonly<Record<string, unknown>>,
  zone: string | undefined,
): Date | undefined {
  const { dateEnd: time, dateEndDate: day } = task;
  if (typeof day === 'string' && day !== '') {
    return parseTime(toUtc(`${shiftDay(day, 1)}T00:00`, zone) ?? '');
  }
  return typeof time === 'string' ? parseTime(time) : undefined;
}

/** `zone` is the user's time zone; undefined means the browser's. */
export function isOverdue(
  task: Readonly<Record<string, unknown>>,
  now: Date,
  zone?: string,
): boolean {
  const due = dueAt(task, zone);
  return due !== undefined && due <= now;
}

/** Sorts tasks by due date. Tasks without one keep their order at the end. */
export function sortByDue(tasks: readonly AnyRecord[], zone?: string): readonly AnyRecord[] {
  const key = (task: AnyRecord) => dueAt(task, zone)?.getTime() ?? Number.MAX_VALUE;
  return tasks.toSorted((a, b) => key(a) - key(b));
}
