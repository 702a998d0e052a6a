import type { FastifyRequest } from 'fastify';
import type { SignIn, SignInMethod } from '../../audit/access-tables.ts';
import type { AccessWatch } from '../../audit/access-watch.ts';
import type { Directory } from '../../domain/directory/directory.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { Proof } from './prove-login.ts';
import { type Credentials, isProviderCode } from './read-credentials.ts';

/** Clients that use Basic send their password with each request, so one sign-in per interval is recorded. */
const BASIC_AGAIN_MS = 3_600_000;
const LOGIN_AGAIN_MS = 60_000;
const MAX_KNOWN = 10_000;
/** The maximum length of a user name; longer input is truncated. */
const MAX_NAME_LENGTH = 100;

/** Not a failure: the response only requests the second factor. */
const codeMissing = 'code.missing';

/** Records sign-ins for administrators (docs/reference/system.md#audit); records nothing without `watch`. */
export function createRecordAccess(
  directory: Directory,
  watch: AccessWatch | undefined,
  now: () => number,
) {
  /** When each combination of user, address and method was last recorded, oldest first. */
  const lastRecorded = new Map<string, number>();

  function isDue(key: string, everyMs: number): boolean {
    if ((lastRecorded.get(key) ?? 0) > now() - everyMs) return false;
    lastRecorded.delete(key);
    lastRecorded.set(key, now());
    const [oldest] = lastRecorded.keys();
    if (lastRecorded.size > MAX_KNOWN && oldest !== undefined) lastRecorded.delete(oldest);
    return true;
  }

  function record(
    { ip: address, trace }: FastifyRequest,
    signIn: Omit<SignIn, 'atMs' | 'address' | 'requestId'>,
  ): void {
    const requestId = trace?.traceId ?? null;
    watch?.recordSignIn({ ...signIn, atMs: now(), address, requestId });
  }

  return {
    accepted(request: FastifyRequest, { kind }: Credentials, proof: Proof) {
      const { proven, token, startsLogin } = proof;
      if (watch === undefined) return;
      if (kind === 'key' || kind === 'hmac') return watch.recordKeyUse(proven.id, now());
      if (kind === 'session' || token !== null) return;
      const everyMs = startsLogin ? LOGIN_AGAIN_MS : BASIC_AGAIN_MS;
      if (!isDue(`${proven.id} ${request.ip} ${startsLogin}`, everyMs)) return;
      record(request, { ...ofUser(proven), method: methodOfProof(proof), reason: null });
    },
    rejected(request: FastifyRequest, credentials: Credentials, error: unknown): void {
      if (!(error instanceof Refusal) || error.code === codeMissing) return;
      // A session that has ended is not a login attempt.
      if (credentials.kind === 'session') return;
      const userName = nameIn(credentials);
      const userId = userName === null ? null : (directory.userByName(userName)?.id ?? null);
      record(request, { userName, userId, method: methodOf(credentials), reason: error.code });
    },
    wrongPassword(request: FastifyRequest, user: RecordState): void {
      record(request, { ...ofUser(user), method: 'password', reason: 'credentials.invalid' });
    },
  };
}

function methodOfProof({ origin }: Proof): SignInMethod {
  return origin === undefined ? 'password' : 'oidc';
}

function ofUser({ id, values }: RecordState) {
  return { userId: id, userName: String(values['userName']) };
}

/** Removes NUL and unpaired surrogates, which Postgres rejects. */
function nameIn(credentials: Credentials): string | null {
  if (credentials.kind !== 'password') return null;
  return credentials.userName.replaceAll('\0', '').slice(0, MAX_NAME_LENGTH).toWellFormed();
}

function methodOf(credentials: Exclude<Credentials, { kind: 'session' }>): SignInMethod {
  if (credentials.kind !== 'password') return credentials.kind;
  if (isProviderCode(credentials)) return 'oidc';
  return credentials.isTokenOnly ? 'token' : 'password';
}
