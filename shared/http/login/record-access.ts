import type { FastifyRequest } from 'fastify';
import type { AccessWatch } from '../../audit/access-watch.ts';
import type { SignIn, SignInMethod } from '../../audit/sign-in.ts';
import type { Directory } from '../../domain/directory/directory.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { Proof } from './prove-login.ts';
import type { Credentials } from './read-credentials.ts';

interface NoteDeps {
  readonly directory: Pick<Directory, 'userByName'>;
  /** Undefined in a process that keeps nothing of it. */
  readonly watch: Pick<AccessWatch, 'noteSignIn' | 'noteKeyUse'> | undefined;
  readonly now: () => number;
}

/** Clients with Basic send their password with each request: they are told once in this time. */
const BASIC_AGAIN_MS = 3_600_000;
const LOGIN_AGAIN_MS = 60_000;
const MAX_KNOWN = 10_000;
/** A user name is no longer; what else was sent in its place is cut off. */
const MAX_NAME_LENGTH = 100;

/** Right, as far as it goes: the client is asked for a code. */
const codeMissing = 'code.missing';

/** What of log-ins administrators can look up afterwards (docs/reference/system.md#audit). */
export function createAccessNotes({ directory, watch, now }: NoteDeps) {
  /** When each was told last: by user, address and way, the one told longest ago first. */
  const told = new Map<string, number>();

  function isDue(key: string, everyMs: number): boolean {
    if ((told.get(key) ?? 0) > now() - everyMs) return false;
    told.delete(key);
    told.set(key, now());
    const [oldest] = told.keys();
    if (told.size > MAX_KNOWN && oldest !== undefined) told.delete(oldest);
    return true;
  }

  function note(
    { ip: address, trace }: FastifyRequest,
    signIn: Omit<SignIn, 'atMs' | 'address' | 'requestId'>,
  ): void {
    const requestId = trace?.traceId ?? null;
    watch?.noteSignIn({ ...signIn, atMs: now(), address, requestId });
  }

  return {
    proved(request: FastifyRequest, { kind }: Credentials, proof: Proof) {
      const { proven, token, startsLogin } = proof;
      if (watch === undefined) return;
      if (kind === 'key' || kind === 'hmac') return watch.noteKeyUse(proven.id, now());
      if (kind === 'session' || token !== null) return;
      const everyMs = startsLogin ? LOGIN_AGAIN_MS : BASIC_AGAIN_MS;
      if (!isDue(`${proven.id} ${request.ip} ${startsLogin}`, everyMs)) return;
      note(request, { ...ofUser(proven), method: 'password', reason: null });
    },
    refused(request: FastifyRequest, credentials: Credentials, error: unknown): void {
      if (!(error instanceof Refusal) || error.code === codeMissing) return;
      // A session that has ended was no attempt.
      if (credentials.kind === 'session') return;
      const userName = nameIn(credentials);
      const userId = userName === null ? null : (directory.userByName(userName)?.id ?? null);
      note(request, { userName, userId, method: methodOf(credentials), reason: error.code });
    },
    wrongPassword(request: FastifyRequest, user: RecordState): void {
      note(request, { ...ofUser(user), method: 'password', reason: 'credentials.invalid' });
    },
  };
}

function ofUser({ id, values }: RecordState): Pick<SignIn, 'userId' | 'userName'> {
  return { userId: id, userName: String(values['userName']) };
}

/** Postgres takes no zero characters, and no halves of one that was cut. */
function nameIn(credentials: Credentials): string | null {
  if (credentials.kind !== 'password') return null;
  return credentials.userName.replaceAll('\0', '').slice(0, MAX_NAME_LENGTH).toWellFormed();
}

function methodOf(credentials: Exclude<Credentials, { kind: 'session' }>): SignInMethod {
  if (credentials.kind !== 'password') return credentials.kind;
  return credentials.isTokenOnly ? 'token' : 'password';
}
