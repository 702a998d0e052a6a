import type { FastifyRequest } from 'fastify';
import type { AccessWatch } from '../../audit/access-watch.ts';
import type { Actor } from '../../domain/access/actor.ts';
import type { Directory } from '../../domain/directory/directory.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { credentialsMissing } from '../errors/answer-error.ts';
import { findAfterCatchUp } from './find-after-catch-up.ts';
import type { LoginDeps } from './login-deps.ts';
import { createProveKey } from './prove-key.ts';
import { createProveLogin, type Proof } from './prove-login.ts';
import {
  type Credentials,
  isProviderCode,
  type PasswordCredentials,
  readCredentials,
  singleHeader,
} from './read-credentials.ts';
import { createRecordAccess } from './record-access.ts';
import { readSession } from './session-cookie.ts';
import { requireActive, wrongCredentials } from './wrong-credentials.ts';

/** The user of a request, and how they authenticated. */
export interface Identity extends Proof {
  /** The user whose permissions apply: the authenticated user, or the user on whose behalf an administrator acts. */
  readonly actor: Actor;
  readonly user: RecordState;
}

export interface Authentication {
  identify(request: FastifyRequest): Promise<Identity>;
  authenticate(request: FastifyRequest): Promise<Actor>;
  /** Returns the user whom a key, signature or token identifies; undefined if a password would have to be hashed. */
  provenUserId(request: FastifyRequest): string | undefined;
  /** Throws `password.wrong` unless this is the password of the user. A wrong one counts as a failed login. */
  confirmPassword(request: FastifyRequest, user: RecordState, password: string): Promise<void>;
}

/** Authenticates requests from memory; see readCredentials for the precedence of credentials. */
export function createAuthentication({
  watch,
  proveCode,
  now = Date.now,
  ...others
}: Omit<LoginDeps, 'now'> & {
  readonly now?: () => number;
  /** Finds the user of a code that a provider issued; undefined in a process that only reads. */
  readonly proveCode?: (request: FastifyRequest, code: string) => Promise<Proof>;
  /** Records sign-ins; undefined in a process that only reads. */
  readonly watch?: AccessWatch;
}): Authentication {
  const { directory, catchUp } = others;
  const deps = { ...others, now };
  const proveKey = createProveKey(deps);
  const logins = createProveLogin(deps);
  const access = createRecordAccess(directory, watch, now);

  async function prove(request: FastifyRequest): Promise<Proof> {
    const credentials = readAll(request);
    if (credentials === undefined) throw missing();
    try {
      const proof = await proveWith(request, credentials);
      requireActive(proof.proven);
      access.accepted(request, credentials, proof);
      return proof;
    } catch (error) {
      access.rejected(request, credentials, error);
      throw error;
    }
  }

  const proveWithPassword = (request: FastifyRequest, credentials: PasswordCredentials) =>
    isProviderCode(credentials) && proveCode !== undefined
      ? proveCode(request, credentials.secret)
      : logins.prove(request, credentials);

  async function proveWith(request: FastifyRequest, credentials: Credentials): Promise<Proof> {
    if (credentials.kind === 'session') {
      const user = await logins.proveSession(request, credentials);
      if (user === undefined) throw missing();
      return { proven: user, token: null, startsLogin: false };
    }
    if (credentials.kind === 'password') return proveWithPassword(request, credentials);
    const byKey = () => proveKey(request, credentials);
    const proven = byKey() ?? (await findAfterCatchUp(byKey, catchUp));
    if (proven === undefined) throw wrongCredentials();
    return { proven, token: null, startsLogin: false };
  }

  async function identify(request: FastifyRequest): Promise<Identity> {
    const proof = await prove(request);
    const user = readActingUser(request, directory, proof);
    return { ...proof, user, actor: directory.actor(user) };
  }

  return {
    identify,
    authenticate: async (request) => (await identify(request)).actor,
    async confirmPassword(request, user, password) {
      const isRight = await logins.confirm(request, user, password);
      if (isRight) return;
      access.wrongPassword(request, user);
      throw new Refusal('forbidden', 'password.wrong', 'Wrong password.');
    },
    provenUserId(request) {
      const credentials = credentialsIn(request);
      if (credentials === undefined) return undefined;
      if (credentials.kind === 'password' || credentials.kind === 'session') {
        return logins.proveToken(request, credentials)?.user.id;
      }
      return proveKey(request, credentials)?.id;
    },
  };
}

/** Returns the user whom an administrator names in a header, or otherwise the user of the credentials. */
function readActingUser(
  request: FastifyRequest,
  directory: LoginDeps['directory'],
  { proven }: Proof,
): RecordState {
  const other = singleHeader(request.headers['x-another-user']);
  const user = other === undefined ? proven : requireOther(directory, { by: proven, other });
  if (user.id !== proven.id) {
    request.impersonation = { userId: user.id, administratorId: proven.id };
  }
  return user;
}

/** A session applies only if no header contains credentials. */
function readAll(request: FastifyRequest): Credentials | undefined {
  const credentials = readCredentials(request);
  if (credentials !== undefined) return credentials;
  const secret = readSession(request);
  return secret === undefined ? undefined : { kind: 'session', secret };
}

function missing(): Refusal {
  return new Refusal('unauthenticated', credentialsMissing, 'Authentication is required.');
}

function requireOther(
  directory: Directory,
  { by, other }: { readonly by: RecordState; readonly other: string },
): RecordState {
  if (by.values['userName'] === other) return by;
  if (by.values['type'] !== 'admin') {
    const message = 'Only an administrator may act as another user.';
    throw new Refusal('forbidden', 'user.not_administrator', message);
  }
  const user = directory.userByName(other);
  if (user?.values['isActive'] !== true) throw wrongCredentials();
  return user;
}

/** Also returns undefined for malformed credentials. */
function credentialsIn(request: FastifyRequest): Credentials | undefined {
  try {
    return readAll(request);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
