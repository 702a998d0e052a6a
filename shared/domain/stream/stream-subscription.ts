/** The entity type in the log of users' settings per record. */
export const streamSubscriptionType = 'StreamSubscription';

/** Returns the id of a user's subscription to a record. It is derived from both, so that there is at most one. */
export function subscriptionId({
  entityType,
  recordId,
  userId,
}: Readonly<Record<'entityType' | 'recordId' | 'userId', string>>): string {
  return `${recordId}.${userId}.${entityType}`;
}
