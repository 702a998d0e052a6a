import { OVER_AFTER_MS, reminderId } from '../../../shared/domain/notifications/reminder-id.ts';
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

/**
 * Returns the id of the latest popup reminder that is due; undefined if none is. An earlier reminder of the same
 * activity, such as a day before, is no longer relevant then. Whole days start at midnight on the user's clock.
 */
export function reminderOf(activity: Activity, clock: LocalClock, now: number): string | undefined {
  const startMs = startOf(activity, clock);
  if (startMs === undefined || startMs + OVER_AFTER_MS <= now) return undefined;
  const due = popupSeconds(activity.reminders).filter((one) => startMs - one * 1_000 <= now);
  if (due.length === 0) return undefined;
  return reminderId({ recordId: activity.id, startMs, seconds: Math.min(...due) });
}

function startOf({ time, day }: RemindedTime, clock: LocalClock): number | undefined {
  if (time !== null) return Date.parse(`${time.replace(' ', 'T')}Z`);
  return day === null ? undefined : clock.toUtc(Date.parse(`${day}T00:00:00Z`));
}

function popupSeconds(reminders: unknown): readonly number[] {
  if (!Array.isArray(reminders)) return [];
  return reminders.flatMap((entry: unknown) => {
    const { type, seconds } = Object(entry);
    return type === 'Popup' && Number.isSafeInteger(seconds) && seconds >= 0 ? [seconds] : [];
  });
}
