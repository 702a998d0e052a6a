import type { FastifyRequest } from 'fastify';
import type { Directory } from '../../domain/directory/directory.ts';
import type { AuthToken, TokenLifetime } from '../../domain/login/auth-token.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { addressOf } from '../address-of.ts';
import { createProvePassword } from './prove-password.ts';
import { createProveToken, isTokenLike, type ProvenToken } from './prove-token.ts';
import type { PasswordCredentials } from './read-credentials.ts';
import { createRequireSecondFactor } from './require-second-factor.ts';
import { soon } from './soon.ts';
import { requireActive, wrongCredentials } from './wrong-credentials.ts';

/** The few things that a log-in writes; a process that only reads cannot do them. */
export interface LoginWrites {
  noteTokenUse(token: AuthToken): void;
  /** False if this code or a newer one was used before. */
  acceptCode(userId: string, step: number): Promise<boolean>;
}

export interface LoginDeps {
  readonly directory: Pick<Directory, 'userByName' | 'authTokenByHash' | 'record'>;
  readonly secrets: Pick<SecretBox, 'tryOpen' | 'tokenHash'>;
  readonly tokenLifetime: TokenLifetime;
  readonly writes: LoginWrites;
  /** Waits a moment for what other instances wrote: a token or key may be a few milliseconds old. */
  readonly catchUp: () => Promise<void>;
  readonly now: () => number;
}

/** To whom the credentials of a request belong. */
export interface Proof {
  readonly proven: RecordState;
  /** The token that the request was let in by, as it came. */
  readonly token: string | null;
  /** The real password was given in a way that begins a log-in with a token. */
  readonly startsLogin: boolean;
}

/** A user name with a password, or with the token of a log-in in its place; throws if it is neither. */
export interface ProveLogin {
  prove(request: FastifyRequest, credentials: PasswordCredentials): Promise<Proof>;
  proveToken(request: FastifyRequest, credentials: PasswordCredentials): ProvenToken | undefined;
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
      // At once: guesses that come together must not outrun the limit.
      passwords.noteFailure(address);
      return undefined;
    }
    requireActive(user);
    await requireSecondFactor(request, user);
    return user;
  }

  return {
    proveToken,
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
