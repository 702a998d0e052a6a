import type { Directory } from '../../domain/directory/directory.ts';
import { type AuthToken, isExpired, type TokenLifetime } from '../../domain/login/auth-token.ts';
import { externalIdentityType } from '../../domain/login/external-identity.ts';
import { signInProviderType } from '../../domain/login/sign-in-provider.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { passwordHashOf, passwordMarkOf } from './password-hash-of.ts';

interface Validity {
  readonly directory: Directory;
  readonly secrets: SecretBox;
  readonly tokenLifetime: TokenLifetime;
  readonly now: () => number;
}

/**
 * Returns whether a log-in of a user is accepted: it has not expired, the password is the same as at its beginning, and
 * if it began at a provider, provider and account still belong to the user.
 */
export function isValidLogin(
  { directory, secrets, tokenLifetime, now }: Validity,
  token: AuthToken,
  user: RecordState,
): boolean {
  if (isExpired(token, tokenLifetime, now())) return false;
  const isOwn =
    token.origin === null ? passwordHashOf(user) !== undefined : isLinked(directory, token, user);
  return isOwn && token.passwordMark === passwordMarkOf(secrets, user);
}

function isLinked(directory: Directory, { origin }: AuthToken, user: RecordState): boolean {
  if (origin === null || user.deleted || user.values['type'] === 'api') return false;
  const provider = directory.record(signInProviderType, origin.providerId);
  const identity = directory.record(externalIdentityType, origin.identityId);
  return (
    provider?.deleted === false &&
    provider.values['isActive'] === true &&
    (user.values['type'] !== 'admin' || provider.values['allowsAdministrators'] === true) &&
    identity?.values['userId'] === user.id
  );
}
