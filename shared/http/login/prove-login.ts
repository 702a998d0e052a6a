import type { FastifyRequest } from 'fastify';
import type { Directory } from '../../domain/directory/directory.ts';
import { passwordSignInOf, settingsId, settingsType } from '../../domain/entity/stock/settings.ts';
import { Refusal } from '../../domain/errors.ts';
import type { TokenOrigin } from '../../domain/login/auth-token.ts';
import {
  type SecondFactor,
  secondFactorType,
  toSecondFactor,
} from '../../domain/login/second-factor.ts';
import { signInProviderType } from '../../domain/login/sign-in-provider.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { normalizeRecoveryCode } from '../../secrets/recovery-codes.ts';
import { findTotpStep } from '../../secrets/totp.ts';
import { findAfterCatchUp } from './find-after-catch-up.ts';
import type { LoginDeps } from './login-deps.ts';
import { createLoginLimit } from './login-limit.ts';
import { createProvePassword } from './prove-password.ts';
import { createProveToken, isTokenLike } from './prove-token.ts';
import {
  type PasswordCredentials,
  type SessionCredentials,
  singleHeader,
} from './read-credentials.ts';
import { requireActive, wrongCredentials } from './wrong-credentials.ts';

/** The user whom a request's credentials identify. */
export interface Proof {
  readonly proven: RecordState;
  /** The token exactly as the request sent it; null if it had none. */
  readonly token: string | null;
  /** True if the password was sent in the header that starts a login with a token. */
  readonly startsLogin: boolean;
  /** Set if the user authenticated at a provider. */
  readonly origin?: TokenOrigin;
}

/** Verifies a user name with a password or with the token of a login; throws if either is wrong. */
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
    requirePasswordAllowed(deps.directory, user);
    await requireSecondFactor(request, user);
    return user;
  }

  return {
    proveToken,
    /** Returns undefined for a session that has ended. Does not return the token, so that scripts cannot obtain it. */
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

/**
 * Returns whether a user may sign in with a password. Administrators always may: a provider may be away or
 * misconfigured, and only they can change that.
 */
export function isPasswordAllowed(directory: Directory, { values }: RecordState): boolean {
  if (values['type'] === 'admin') return true;
  if (passwordSignInOf(directory.record(settingsType, settingsId)) === 'everyone') return true;
  const isActive = (provider: RecordState) => provider.values['isActive'] === true;
  return !directory.records(signInProviderType).some(isActive);
}

function requirePasswordAllowed(directory: Directory, user: RecordState): void {
  if (isPasswordAllowed(directory, user)) return;
  const message = 'Only administrators may sign in with a password. Use single sign-on.';
  throw new Refusal('unauthenticated', 'sign_in.password_off', message);
}

const MAX_WRONG_CODES = 10;
const WINDOW_MS = 300_000;

/** The second step in the form that clients expect: the reason, and a body with the required kind of code. */
const secondStep = {
  status: 'secondStepRequired',
  message: 'enterTotpCode',
  view: null,
  token: null,
  data: {},
} as const;

/** Requires an authenticator code or a recovery code from users who have a second factor, after their password was verified. */
function createRequireSecondFactor({ directory, secrets, writes, now }: LoginDeps) {
  const limit = createLoginLimit({ maxFailures: MAX_WRONG_CODES, windowMs: WINDOW_MS, now });

  const acceptsCode = async (userId: string, factor: SecondFactor, code: string) => {
    // After the master key has been replaced, no code is correct: an administrator has to disable the factor.
    const secret = secrets.tryOpen(factor.totpSecret);
    const step = secret === null ? undefined : findTotpStep(secret, code, now());
    return step !== undefined && step > factor.lastStep && writes.acceptCode(userId, step);
  };

  const acceptsRecovery = async (userId: string, typed: string) => {
    const code = normalizeRecoveryCode(typed);
    return code !== undefined && writes.acceptRecoveryCode(userId, secrets.tokenHash(code));
  };

  return async ({ headers }: FastifyRequest, user: RecordState): Promise<void> => {
    const factor = toSecondFactor(directory.record(secondFactorType, user.id));
    if (factor === undefined) return;
    const code = singleHeader(headers['espo-authorization-code']);
    if (code === undefined) throw codeMissing();
    if (limit.isExceeded(user.id)) throw tooManyCodes();
    if ((await acceptsCode(user.id, factor, code)) || (await acceptsRecovery(user.id, code)))
      return;
    limit.recordFailure(user.id);
    throw new Refusal('unauthenticated', 'code.invalid', 'Wrong code.');
  };
}

function codeMissing(): Refusal {
  return new Refusal('unauthenticated', 'code.missing', 'second-step-required', {
    body: secondStep,
  });
}

function tooManyCodes(): Refusal {
  return new Refusal('forbidden', 'code.limited', 'Too many wrong codes for this user.');
}
