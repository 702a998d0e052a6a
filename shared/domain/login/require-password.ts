import { Refusal } from '../errors.ts';

const minCharacters = 8;
/** Far beyond what anybody types, and little to hash. */
const maxCharacters = 255;

/** Refuses a password that is too easily guessed: length is what counts (NIST SP 800-63B, 3.1.1.2). */
export function requirePassword(password: string): void {
  const length = [...password].length;
  const kinds = new Set(password).size;
  if (length >= minCharacters && length <= maxCharacters && kinds > 2) return;
  throw new Refusal('forbidden', 'password.weak', 'Password is weak.');
}
