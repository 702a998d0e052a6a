/** The entity type of pinned posts in the log. */
export const streamPinsType = 'StreamPins';

/** Returns the id of a record's list of pinned posts, of which there is exactly one. */
export function streamPinsId(entityType: string, recordId: string): string {
  return `${recordId}.${entityType}`;
}

/** Maximum number of pinned posts per stream. */
export const MAX_PINS = 5;
