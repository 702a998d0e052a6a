import type { AnyRecord } from '../../api/records.ts';
import { parseTime } from '../../language/format.ts';

/** Returns when a task is due; undefined if it has no due date. A whole day ends at midnight in the browser's time zone. */
function dueAt(task: Readonly<Record<string, unknown>>): Date | undefined {
  const { dateEnd: time, dateEndDate: day } = task;
  if (typeof day === 'string' && day !== '') {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
    return new Date(year, month - 1, date + 1);
  }
  return typeof time === 'string' ? parseTime(time) : undefined;
}

export function isOverdue(task: Readonly<Record<string, unknown>>, now: Date): boolean {
  const due = dueAt(task);
  return due !== undefined && due <= now;
}

/** Sorts tasks by due date. Tasks without one keep their order at the end. */
export function sortByDue(tasks: readonly AnyRecord[]): readonly AnyRecord[] {
  const key = (task: AnyRecord) => dueAt(task)?.getTime() ?? Number.MAX_VALUE;
  return tasks.toSorted((a, b) => key(a) - key(b));
}
