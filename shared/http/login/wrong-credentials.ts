import { isActiveUser, userInactive } from '../../domain/directory/acting-user.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';

export function wrongCredentials(): Refusal {
  return new Refusal('unauthenticated', 'credentials.invalid', 'Wrong credentials.');
}

/** Only who proved to be the user is told that the user was deactivated. */
export function requireActive(user: RecordState): RecordState {
  if (isActiveUser(user)) return user;
  throw userInactive();
}
