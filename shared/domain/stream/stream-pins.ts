/** The entity type of pinned posts in the log. */
export const streamPinsType = 'StreamPins';

/** A record has one list of pinned posts. */
export function streamPinsId(entityType: string, recordId: string): string {
  return `${recordId}.${entityType}`;
}

/** Posts that may be pinned in one stream. */
export const MAX_PINS = 5;
