/** The log's entity type for users' settings per record. */
export const streamSubscriptionType = 'StreamSubscription';

/**
 * Returns the id of a user's subscription to a record. The id is derived from both, so that there is at most one
 * subscription.
 */
export function subscriptionId({
  entityType,
  recordId,
  userId,
}: Readonly<Record<'entityType' | 'recordId' | 'userId', string>>): string {
  return `${recordId}.${userId}.${entityType}`;
}

/** The log's entity type for pinned posts. */
export const streamPinsType = 'StreamPins';

/** Returns the id of a record's list of pinned posts, of which there is exactly one. */
export function streamPinsId(entityType: string, recordId: string): string {
  return `${recordId}.${entityType}`;
}

/** Maximum number of pinned posts per stream. */
export const MAX_PINS = 5;
