import type { FastifyRequest } from 'fastify';
import type { Directory } from '../../domain/directory/directory.ts';
import type { AuthToken, TokenLifetime } from '../../domain/login/auth-token.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { addressOf } from '../address/address-of.ts';
import { createProvePassword } from './prove-password.ts';
import { createProveToken, isTokenLike, type ProvenToken, type SentToken } from './prove-token.ts';
import type { PasswordCredentials, SessionCredentials } from './read-credentials.ts';
import { createRequireSecondFactor } from './require-second-factor.ts';
import { soon } from './soon.ts';
import { requireActive, wrongCredentials } from './wrong-credentials.ts';

/** The writes of a log-in. A process that only reads does not have them. */
export interface ProofWrites {
  noteTokenUse(token: AuthToken): void;
  /** False if this code or a newer one was used before. */
  acceptCode(userId: string, step: number): Promise<boolean>;
}

export interface LoginDeps {
  readonly directory: Pick<Directory, 'userByName' | 'authTokenByHash' | 'record'>;
  readonly secrets: Pick<SecretBox, 'tryOpen' | 'tokenHash'>;
  readonly tokenLifetime: TokenLifetime;
  readonly writes: ProofWrites;
  /** Waits briefly for entries of other instances: a token or key may be a few milliseconds old. */
  readonly catchUp: () => Promise<void>;
  readonly now: () => number;
}

/** The user whom the credentials of a request prove. */
export interface Proof {
  readonly proven: RecordState;
  /** The token of the request, as it was sent; null if it had none. */
  readonly token: string | null;
  /** The password was sent in the way that begins a log-in with a token. */
  readonly startsLogin: boolean;
}

/** Proves a user name with a password or the token of a log-in; throws if it is wrong. */
export interface ProveLogin {
  prove(request: FastifyRequest, credentials: PasswordCredentials): Promise<Proof>;
  proveToken(request: FastifyRequest, sent: SentToken): ProvenToken | undefined;
  /** Undefined for a session that has ended. Its token stays out of reach of who sent it. */
  proveSession(
    request: FastifyRequest,
    session: SessionCredentials,
  ): Promise<RecordState | undefined>;
  confirm(request: FastifyRequest, user: RecordState, password: string): Promise<boolean>;
}

export function createProveLogin(deps: LoginDeps): ProveLogin {
  const { writes, now } = deps;
  const proveToken = createProveToken({
    ...deps,
    lifetime: deps.tokenLifetime,
    noteUse: writes.noteTokenUse,
  });
  const passwords = createProvePassword(deps);
  const requireSecondFactor = createRequireSecondFactor({
    ...deps,
    acceptStep: writes.acceptCode,
    now,
  });

  async function provePassword(
    request: FastifyRequest,
    { userName, secret }: PasswordCredentials,
  ): Promise<RecordState | undefined> {
    const address = addressOf(request);
    const user = await passwords.prove({ address, userName, password: secret });
    if (user === undefined) {
      // Counted at once: simultaneous guesses must not exceed the limit.
      passwords.noteFailure(address);
      return undefined;
    }
    requireActive(user);
    await requireSecondFactor(request, user);
    return user;
  }

  return {
    proveToken,
    async proveSession(request, session) {
      const find = () => proveToken(request, session);
      return (find() ?? (await soon(find, deps.catchUp)))?.user;
    },
    async prove(request, credentials) {
      const { secret, isTokenOnly, startsLogin } = credentials;
      const byToken = () => {
        const found = proveToken(request, credentials);
        return found && { proven: found.user, token: secret, startsLogin: false };
      };
      const known = byToken();
      if (known !== undefined) return known;
      const user = isTokenOnly ? undefined : await provePassword(request, credentials);
      if (user !== undefined) return { proven: user, token: null, startsLogin };
      const late = isTokenLike(secret) ? await soon(byToken, deps.catchUp) : undefined;
      if (late === undefined) throw wrongCredentials();
      return late;
    },
    async confirm(request, { values }, password) {
      const address = addressOf(request);
      const userName = String(values['userName']);
      const isRight = (await passwords.prove({ address, userName, password })) !== undefined;
      if (!isRight) passwords.noteFailure(address);
      return isRight;
    },
  };
}
