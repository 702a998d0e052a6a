import { Refusal } from '../errors.ts';

const MIN_CHARACTERS = 8;
/** Far longer than any typed password, but still cheap to hash. */
const MAX_CHARACTERS = 255;

/** Throws if a password is easy to guess. Only length and variety count (NIST SP 800-63B, 3.1.1.2). */
export function requirePassword(password: string): void {
  const length = [...password].length;
  const kinds = new Set(password).size;
  if (length >= MIN_CHARACTERS && length <= MAX_CHARACTERS && kinds > 2) return;
  throw new Refusal('forbidden', 'password.weak', 'Password is weak.');
}
