/** The entity type under which what users set for records stands in the log. */
export const streamSubscriptionType = 'StreamSubscription';

/** A user has one subscription to a record: its id follows from both, so that nobody can make a second one. */
export function subscriptionId({
  entityType,
  recordId,
  userId,
}: {
  readonly entityType: string;
  readonly recordId: string;
  readonly userId: string;
}): string {
  return `${recordId}.${userId}.${entityType}`;
}
