import { actingUser, type Users } from './acting-user.ts';

/** Fills in the inactive reason of an active webhook whose user is deactivated or deleted. */
export function showInactiveReason(body: Record<string, unknown>, directory: Users): void {
  const webhook = directory.record('Webhook', String(body['id']));
  if (!('inactiveReason' in body) || webhook?.values['isActive'] !== true) return;
  if (isOfInactiveUser(webhook.values, directory)) {
    body['inactiveReason'] =
      'Nothing is delivered because the user of this webhook is deactivated.';
  }
}

/** True if a webhook receives nothing because its user is deactivated or deleted. */
export function isOfInactiveUser(
  { userId }: Readonly<Record<string, unknown>>,
  directory: Users,
): boolean {
  return typeof userId === 'string' && actingUser(directory, userId) === undefined;
}
