/** Users can undo and list their changes, and restore what they deleted, for this time. */
export const UNDO_DAYS = 30;

const DAY_MS = 86_400_000;

/** Returns the time, in milliseconds since 1970, from which on users can undo their changes. */
export function undoableSince(now: number): number {
  return now - UNDO_DAYS * DAY_MS;
}
