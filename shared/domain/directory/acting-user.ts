import type { Actor } from '../access/actor.ts';
import { Refusal } from '../errors.ts';
import type { Directory } from './directory.ts';
import { isActiveUser } from './is-active-user.ts';

export type Users = Pick<Directory, 'record' | 'actor'>;

/** Returns the user with current permissions, to act on the user's behalf; undefined if deactivated or deleted. */
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
