import { actingUser } from './acting-user.ts';
import type { Directory } from './directory.ts';

const attribute = 'inactiveReason';

/** Fills in, in place, that webhooks get nothing because nobody acts as their user: no event of theirs tells. */
export function showInactiveUser(
  entityType: string,
  bodies: readonly Record<string, unknown>[],
  directory: Pick<Directory, 'record' | 'actor'>,
): void {
  if (entityType !== 'Webhook') return;
  for (const body of bodies) {
    const webhook = directory.record('Webhook', String(body['id']));
    if (!(attribute in body) || webhook?.values['isActive'] !== true) continue;
    if (isOfInactiveUser(webhook.values, directory)) {
      body[attribute] = 'Its user is deactivated: nothing is delivered.';
    }
  }
}

/** Whether a webhook gets nothing because its user is deactivated or deleted. */
export function isOfInactiveUser(
  { userId }: Readonly<Record<string, unknown>>,
  directory: Pick<Directory, 'record' | 'actor'>,
): boolean {
  return typeof userId === 'string' && actingUser(directory, userId) === undefined;
}
