import { actingUser, type Users } from './acting-user.ts';

/** Says in the body of a webhook that it gets nothing because nobody acts as its user. */
export function showInactiveReason(body: Record<string, unknown>, directory: Users): void {
  const webhook = directory.record('Webhook', String(body['id']));
  if (!('inactiveReason' in body) || webhook?.values['isActive'] !== true) return;
  if (isOfInactiveUser(webhook.values, directory)) {
    body['inactiveReason'] = 'Its user is deactivated: nothing is delivered.';
  }
}

/** Whether a webhook gets nothing because its user is deactivated or deleted. */
export function isOfInactiveUser(
  { userId }: Readonly<Record<string, unknown>>,
  directory: Users,
): boolean {
  return typeof userId === 'string' && actingUser(directory, userId) === undefined;
}
