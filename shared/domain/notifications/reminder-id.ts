const DAY_MS = 24 * 60 * 60 * 1_000;
/** Reminders are due until this long after the start of their activity. */
export const OVER_AFTER_MS = DAY_MS;

export type ReminderType = 'Popup' | 'Email';

interface ReminderKey {
  readonly recordId: string;
  readonly startMs: number;
  readonly seconds: number;
}

/**
 * Returns the id of a reminder. It contains the start of the activity, so a dismissed reminder is due again if the
 * activity is moved.
 */
export function reminderId({ recordId, startMs, seconds }: ReminderKey): string {
  return `${recordId}.${startMs / 1_000}.${seconds}`;
}

const idForm = /^[\x21-\x7e]{1,100}\.(-?\d{1,12})\.\d{1,16}$/;

export function isReminderId(text: string): boolean {
  return idForm.test(text);
}

/** True if the reminder can no longer be due. */
export function isOver(id: string, now: number): boolean {
  const start = Number(idForm.exec(id)?.[1] ?? 0) * 1_000;
  return start + OVER_AFTER_MS <= now;
}
