import type { Delivery, Webhook } from '../../api/webhooks.ts';

export type WebhookHealth = 'active' | 'failing' | 'paused';

/** Returns `failing` if the newest attempt among the deliveries failed, whether or not it will be retried. */
export function healthOf(
  { isActive, inactiveReason }: Pick<Webhook, 'inactiveReason' | 'isActive'>,
  deliveries: readonly Delivery[],
): WebhookHealth {
  if (isActive !== true || inactiveReason) return 'paused';
  const newest = newestOf(deliveries.filter((delivery) => !isUnsent(delivery)));
  return newest === undefined || newest.state === 'delivered' ? 'active' : 'failing';
}

/** True for discarded batches, except failed tests, which are never retried. */
function isUnsent({ id, state }: Delivery): boolean {
  return state === 'dropped' && !id.startsWith('test_');
}

/** Returns the time of the newest successful attempt among the deliveries; undefined if none succeeded. */
export function lastSuccessIn(deliveries: readonly Delivery[]): string | undefined {
  const newest = newestOf(deliveries.filter(({ state }) => state === 'delivered'));
  return newest?.lastAttemptAt ?? undefined;
}

/** Returns the delivery with the newest attempt; undefined without attempts. Times are texts that sort by time. */
function newestOf(deliveries: readonly Delivery[]): Delivery | undefined {
  const tried = deliveries.filter(({ lastAttemptAt }) => lastAttemptAt !== null);
  return tried.toSorted((one, other) =>
    (other.lastAttemptAt ?? '').localeCompare(one.lastAttemptAt ?? ''),
  )[0];
}

/** Returns the first line of the description; the event if the webhook has no description. */
export function nameOf({ id, description, event }: Webhook): string {
  const [line = ''] = (description ?? '').trim().split('\n');
  return line.trim() || event || id;
}
