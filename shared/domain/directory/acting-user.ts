import type { Actor } from '../access/actor.ts';
import { Refusal } from '../errors.ts';
import type { RecordState } from '../record/record-state.ts';
import type { Directory } from './directory.ts';

type Users = Pick<Directory, 'record' | 'actor'>;

/** A user with the rights of this moment, for what goes on in their name; undefined once they may do nothing more. */
export function actingUser(directory: Users, userId: string): Actor | undefined {
  const user = directory.record('User', userId);
  return user === undefined || !isActiveUser(user) ? undefined : directory.actor(user);
}

/** The same, refused where nobody may act as this user any more. */
export function requireActingUser(directory: Users, userId: string): Actor {
  const actor = actingUser(directory, userId);
  if (actor !== undefined) return actor;
  throw userInactive();
}

export function isActiveUser({ deleted, values }: RecordState): boolean {
  return !deleted && values['isActive'] === true;
}

export function userInactive(): Refusal {
  return new Refusal('unauthenticated', 'user.inactive', 'The user is deactivated.');
}
