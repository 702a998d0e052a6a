/** How long users can list and undo their changes, and restore records that they deleted. */
export const UNDO_DAYS = 30;

const DAY_MS = 86_400_000;

/** Returns the time, in milliseconds since 1970, of the oldest changes that users can undo. */
export function undoableSince(now: number): number {
  return now - UNDO_DAYS * DAY_MS;
}
