import {
  OVER_AFTER_MS,
  type ReminderType,
  reminderId,
} from '../../../shared/domain/notifications/reminder-id.ts';
import type { LocalClock } from '../../../shared/domain/value/date-time.ts';

/** The time of which reminders remind: the start of an activity, or when a task is due. */
export interface RemindedTime {
  /** UTC, `2030-01-31 10:00:00`; null for a whole day. */
  readonly time: string | null;
  /** `2030-01-31`; null for a time. */
  readonly day: string | null;
}

interface Activity extends RemindedTime {
  readonly id: string;
  /** As stored: entries that are not reminders are ignored. */
  readonly reminders: unknown;
}

/** A reminder that is due for a user. Times are in milliseconds since 1970. */
interface Due {
  readonly id: string;
  readonly startMs: number;
  /** When the reminder became due. */
  readonly dueMs: number;
}

/**
 * Returns the latest reminder of a type that is due; undefined if none is. An earlier reminder of the same activity,
 * such as a day before, is no longer relevant then. Whole days start at midnight on the user's clock.
 */
export function reminderOf(
  activity: Activity,
  {
    type,
    clock,
    now,
  }: { readonly type: ReminderType; readonly clock: LocalClock; readonly now: number },
): Due | undefined {
  const startMs = startOf(activity, clock);
  if (startMs === undefined || startMs + OVER_AFTER_MS <= now) return undefined;
  const due = secondsOf(activity.reminders, type).filter((one) => startMs - one * 1_000 <= now);
  if (due.length === 0) return undefined;
  const seconds = Math.min(...due);
  const id = reminderId({ recordId: activity.id, startMs, seconds });
  return { id, startMs, dueMs: startMs - seconds * 1_000 };
}

function startOf({ time, day }: RemindedTime, clock: LocalClock): number | undefined {
  if (time !== null) return Date.parse(`${time.replace(' ', 'T')}Z`);
  return day === null ? undefined : clock.toUtc(Date.parse(`${day}T00:00:00Z`));
}

/** Returns how long before an activity its reminders of a type are due. */
export function secondsOf(reminders: unknown, type: ReminderType): readonly number[] {
  if (!Array.isArray(reminders)) return [];
  return reminders.flatMap((entry: unknown) => {
    const { type: ofEntry, seconds } = Object(entry);
    return ofEntry === type && Number.isSafeInteger(seconds) && seconds >= 0 ? [seconds] : [];
  });
}
