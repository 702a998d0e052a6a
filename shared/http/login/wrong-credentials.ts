import { userInactive } from '../../domain/directory/acting-user.ts';
import { isActiveUser } from '../../domain/directory/is-active-user.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';

export function wrongCredentials(): Refusal {
  return new Refusal('unauthenticated', 'credentials.invalid', 'Wrong credentials.');
}

/** Returns the user, or throws if they were deactivated. Called only after the credentials were verified. */
export function requireActive(user: RecordState): RecordState {
  if (isActiveUser(user)) return user;
  throw userInactive();
}
