/** The entity type in the log of what users set for records. */
export const streamSubscriptionType = 'StreamSubscription';

/** A user has one subscription to a record: its id is derived from both, so there can be no second one. */
export function subscriptionId({
  entityType,
  recordId,
  userId,
}: Readonly<Record<'entityType' | 'recordId' | 'userId', string>>): string {
  return `${recordId}.${userId}.${entityType}`;
}
