import type { FastifyRequest } from 'fastify';
import type { RecordState } from '../../domain/record/record-state.ts';
import { findAfterCatchUp } from './find-after-catch-up.ts';
import type { LoginDeps } from './login-deps.ts';
import { createProvePassword } from './prove-password.ts';
import { createProveToken, isTokenLike } from './prove-token.ts';
import type { PasswordCredentials, SessionCredentials } from './read-credentials.ts';
import { createRequireSecondFactor } from './require-second-factor.ts';
import { requireActive, wrongCredentials } from './wrong-credentials.ts';

/** The user that the credentials of a request prove. */
export interface Proof {
  readonly proven: RecordState;
  /** The token of the request, as it was sent; null if it had none. */
  readonly token: string | null;
  /** The password was sent in the header that begins a login with a token. */
  readonly startsLogin: boolean;
}

/** Verifies a user name with a password or with the token of a login; throws if it is wrong. */
export function createProveLogin(deps: LoginDeps) {
  const proveToken = createProveToken(deps);
  const provePassword = createProvePassword(deps);
  const requireSecondFactor = createRequireSecondFactor(deps);

  async function proveByPassword(
    request: FastifyRequest,
    { userName, secret }: PasswordCredentials,
  ): Promise<RecordState | undefined> {
    const user = await provePassword(request, userName, secret);
    if (user === undefined) return undefined;
    requireActive(user);
    await requireSecondFactor(request, user);
    return user;
  }

  return {
    proveToken,
    /** Returns undefined for a session that has ended. The token is not returned, so scripts cannot obtain it. */
    async proveSession(request: FastifyRequest, session: SessionCredentials) {
      const find = () => proveToken(request, session);
      return (find() ?? (await findAfterCatchUp(find, deps.catchUp)))?.user;
    },
    async prove(request: FastifyRequest, credentials: PasswordCredentials): Promise<Proof> {
      const { secret, isTokenOnly, startsLogin } = credentials;
      const byToken = () => {
        const found = proveToken(request, credentials);
        return found && { proven: found.user, token: secret, startsLogin: false };
      };
      const known = byToken();
      if (known !== undefined) return known;
      const user = isTokenOnly ? undefined : await proveByPassword(request, credentials);
      if (user !== undefined) return { proven: user, token: null, startsLogin };
      const late = isTokenLike(secret) ? await findAfterCatchUp(byToken, deps.catchUp) : undefined;
      if (late === undefined) throw wrongCredentials();
      return late;
    },
    async confirm(request: FastifyRequest, { values }: RecordState, password: string) {
      const user = await provePassword(request, String(values['userName']), password);
      return user !== undefined;
    },
  };
}
