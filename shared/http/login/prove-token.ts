import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type AuthToken, isUseDue } from '../../domain/login/auth-token.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { isValidLogin } from './is-valid-login.ts';
import type { LoginDeps } from './login-deps.ts';
import { readCookie } from './read-credentials.ts';

interface ProvenToken {
  readonly user: RecordState;
  readonly token: AuthToken;
}

/** The cookie that must accompany a token if its login requested one. */
export const tokenSecretCookie = 'auth-token-secret';

const form = /^[0-9a-f]{32}$/;

/** A token, and the user name sent with it; a session has no user name. */
interface SentToken {
  readonly userName?: string;
  readonly secret: string;
}

export function isTokenLike(text: string): boolean {
  return form.test(text);
}

/**
 * Returns a function that finds the login whose token was sent in place of the password; undefined if it is not a
 * token or has expired.
 */
export function createProveToken(deps: LoginDeps) {
  const { directory, secrets, tokenLifetime, writes, now } = deps;
  return (
    { headers }: FastifyRequest,
    { userName, secret }: SentToken,
  ): ProvenToken | undefined => {
    const token = isTokenLike(secret)
      ? directory.authTokenByHash(secrets.tokenHash(secret))
      : undefined;
    const user = token && directory.record('User', token.userId);
    if (user === undefined || token === undefined || !isOf(user, userName)) return undefined;
    const cookie = readCookie(headers.cookie, tokenSecretCookie);
    if (!isValidLogin(deps, token, user) || !hasSecret(token, secrets, cookie)) return undefined;
    if (isUseDue(token, tokenLifetime, now())) writes.recordTokenUse(token);
    return { user, token };
  };
}

function isOf({ values }: RecordState, userName: string | undefined): boolean {
  return userName === undefined || values['userName'] === userName;
}

function hasSecret(
  { secretHash }: AuthToken,
  { tokenHash }: SecretBox,
  cookie: string | undefined,
): boolean {
  if (secretHash === null) return true;
  if (cookie === undefined) return false;
  return timingSafeEqual(Buffer.from(tokenHash(cookie)), Buffer.from(secretHash));
}
