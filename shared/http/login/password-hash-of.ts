import type { RecordState } from '../../domain/record/record-state.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

/**
 * Returns the password hash of a user who may log in with a password. API users may not, regardless of their record.
 */
export function passwordHashOf(user: RecordState | undefined): string | undefined {
  if (user === undefined || user.deleted) return undefined;
  const { type, passwordHash } = user.values;
  const mayLogIn = type === 'regular' || type === 'admin';
  return mayLogIn && typeof passwordHash === 'string' ? passwordHash : undefined;
}

/** Returns a mark that changes with the password of a user. Log-ins and links with another mark are invalid. */
export function passwordMarkOf(
  { tokenHash }: Pick<SecretBox, 'tokenHash'>,
  user: RecordState,
): string {
  return tokenHash(passwordHashOf(user) ?? '');
}
