import type { Actor } from '../access/actor.ts';
import { Refusal } from '../errors.ts';
import type { Directory } from './directory.ts';
import { isActiveUser } from './is-active-user.ts';

type Users = Pick<Directory, 'record' | 'actor'>;

/**
 * Returns the user with current permissions, for acting on the user's behalf; undefined if the user is deactivated or
 * deleted.
 */
export function actingUser(directory: Users, userId: string): Actor | undefined {
  const user = directory.record('User', userId);
  return user === undefined || !isActiveUser(user) ? undefined : directory.actor(user);
}

/** Like `actingUser`, but throws if the user is deactivated or deleted. */
export function requireActingUser(directory: Users, userId: string): Actor {
  const actor = actingUser(directory, userId);
  if (actor !== undefined) return actor;
  throw userInactive();
}

export function userInactive(): Refusal {
  return new Refusal('unauthenticated', 'user.inactive', 'The user is deactivated.');
}

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
