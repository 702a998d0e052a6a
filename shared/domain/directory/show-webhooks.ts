import { actingUser } from './acting-user.ts';
import type { Directory } from './directory.ts';

/**
 * Completes bodies of webhooks in place: says that one gets nothing because nobody acts as its user, which no event of
 * its own tells, and leaves out `field` where no field or link is watched.
 */
export function showWebhooks(
  entityType: string,
  bodies: readonly Record<string, unknown>[],
  directory: Pick<Directory, 'record' | 'actor'>,
): void {
  if (entityType !== 'Webhook') return;
  for (const body of bodies) {
    leaveOutField(entityType, body);
    const webhook = directory.record('Webhook', String(body['id']));
    if (!('inactiveReason' in body) || webhook?.values['isActive'] !== true) continue;
    if (isOfInactiveUser(webhook.values, directory)) {
      body['inactiveReason'] = 'Its user is deactivated: nothing is delivered.';
    }
  }
}

/** `field` of a webhook is there only where a field or link is watched. */
export function leaveOutField(entityType: string, body: Record<string, unknown>): void {
  if (entityType === 'Webhook' && body['field'] === null) delete body['field'];
}

/** Whether a webhook gets nothing because its user is deactivated or deleted. */
export function isOfInactiveUser(
  { userId }: Readonly<Record<string, unknown>>,
  directory: Pick<Directory, 'record' | 'actor'>,
): boolean {
  return typeof userId === 'string' && actingUser(directory, userId) === undefined;
}
