import { createSecretKey, type KeyObject } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../domain/access/actor.ts';
import type { Directory } from '../domain/directory/directory.ts';
import { Refusal } from '../domain/errors.ts';
import type { RecordState } from '../domain/record/record-state.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { credentialsMissing } from './answer-error.ts';
import { createCheckPassword } from './check-password.ts';
import { isSignedWith, readHmacCredentials, signedPath } from './hmac-credentials.ts';
import { createLoginLimit } from './login-limit.ts';

type AuthDirectory = Pick<Directory, 'userByName' | 'userByApiKeyHash' | 'actor'>;

interface Deps {
  readonly directory: AuthDirectory;
  readonly secrets: Pick<SecretBox, 'lookupHash' | 'open'>;
  readonly now?: () => number;
}

/**
 * Finds out who makes a request, from memory alone. The first kind of credentials that a request carries decides,
 * right or wrong: Espo-Authorization, X-Api-Key, X-Hmac-Authorization, Authorization.
 */
export function createAuthenticate(deps: Deps): (request: FastifyRequest) => Promise<Actor> {
  const byApiKey = createApiKeyLogin(deps);
  const byHmac = createHmacLogin(deps);
  const byPassword = createPasswordLogin(deps);

  return async (request) => {
    const { headers } = request;
    const espoAuthorization = single(headers['espo-authorization']);
    if (espoAuthorization !== undefined) {
      return byPassword(request, readEspoAuthorization(espoAuthorization, headers));
    }
    const apiKey = single(headers['x-api-key']);
    if (apiKey !== undefined) return deps.directory.actor(byApiKey(apiKey));
    const hmac = single(headers['x-hmac-authorization']);
    if (hmac !== undefined) return deps.directory.actor(byHmac(request, hmac));
    const basic = readBasic(headers.authorization);
    if (basic !== undefined) return byPassword(request, basic);
    throw new Refusal('unauthenticated', credentialsMissing, 'Authentication is required.');
  };
}

/** An empty header counts as none. */
function single(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header) || undefined;
}

const MAX_KNOWN_KEYS = 10_000;

function createApiKeyLogin({ directory, secrets }: Deps) {
  // Of keys that were right once: hashing one costs more than all the rest of a log-in.
  const hashes = new Map<string, string>();
  return (apiKey: string): RecordState => {
    const known = hashes.get(apiKey);
    const hash = known ?? secrets.lookupHash(apiKey);
    const user = directory.userByApiKeyHash(hash);
    const proven = requireUser(user, isApiUser(user, 'ApiKey'));
    if (known === undefined && hashes.size < MAX_KNOWN_KEYS) hashes.set(apiKey, hash);
    return proven;
  };
}

function createHmacLogin({ directory, secrets }: Deps) {
  // By the user's state, a new one after each change of the user: so a rotated secret is never met here.
  const secretKeys = new WeakMap<RecordState, KeyObject>();

  function secretKeyOf(user: RecordState): KeyObject {
    const known = secretKeys.get(user);
    if (known !== undefined) return known;
    const key = createSecretKey(Buffer.from(secrets.open(String(user.values['secretKey']))));
    secretKeys.set(user, key);
    return key;
  }

  return ({ method, originalUrl }: FastifyRequest, header: string): RecordState => {
    const credentials = readHmacCredentials(header);
    if (credentials === undefined) throw wrongCredentials();
    const user = directory.userByApiKeyHash(secrets.lookupHash(credentials.apiKey));
    if (user === undefined || !isApiUser(user, 'Hmac')) throw wrongCredentials();
    const signed = `${method} ${signedPath(originalUrl)}`;
    return requireUser(user, isSignedWith(secretKeyOf(user), signed, credentials.hash));
  };
}

function createPasswordLogin({ directory, now = Date.now }: Deps) {
  const limit = createLoginLimit({ maxFailures: 10, windowMs: 60_000, now });
  const checkPassword = createCheckPassword();

  function refuseIfExceeded(address: string): void {
    if (!limit.isExceeded(address)) return;
    throw new Refusal('forbidden', 'login.limited', 'Too many failed logins from this address.');
  }

  return async ({ ip }: FastifyRequest, { userName, password }: Password): Promise<Actor> => {
    refuseIfExceeded(ip);
    const user = directory.userByName(userName);
    const login = {
      address: ip,
      userId: user?.id ?? '',
      password,
      passwordHash: passwordHashOf(user),
    };
    // Asked again when its turn comes: guesses that wait in line must not outrun the limit.
    const isRight = await checkPassword(login, () => refuseIfExceeded(ip));
    if (!isRight) limit.noteFailure(ip);
    return directory.actor(requireUser(user, isRight));
  };
}

interface Password {
  readonly userName: string;
  readonly password: string;
}

/** As Basic, without the word. Tokens do not exist yet, so a request that insists on one has none. */
function readEspoAuthorization(header: string, headers: FastifyRequest['headers']): Password {
  const password = decodePassword(header);
  if (password === undefined) {
    throw new Refusal(
      'invalid',
      'credentials.malformed',
      'Auth: Bad authorization string provided.',
    );
  }
  if (single(headers['espo-authorization-by-token'])?.toLowerCase() === 'true') {
    throw wrongCredentials();
  }
  return password;
}

/** Undefined when there is none; another scheme than Basic is none that is known here. */
function readBasic(header: string | undefined): Password | undefined {
  const encoded = /^basic +(.*)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const password = decodePassword(encoded);
  if (password === undefined) throw wrongCredentials();
  return password;
}

function decodePassword(encoded: string): Password | undefined {
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const end = text.indexOf(':');
  return end === -1 ? undefined : { userName: text.slice(0, end), password: text.slice(end + 1) };
}

function isApiUser(user: RecordState | undefined, authMethod: 'ApiKey' | 'Hmac'): boolean {
  return user?.values['type'] === 'api' && user.values['authMethod'] === authMethod;
}

function passwordHashOf(user: RecordState | undefined): string | undefined {
  const type = user?.values['type'];
  const hash = user?.values['passwordHash'];
  const mayLogIn = type === 'regular' || type === 'admin';
  return mayLogIn && typeof hash === 'string' ? hash : undefined;
}

/** Only who proved to be the user is told that the user was deactivated. */
function requireUser(user: RecordState | undefined, isProven: boolean): RecordState {
  if (user === undefined || !isProven) throw wrongCredentials();
  if (user.values['isActive'] === true) return user;
  throw new Refusal('unauthenticated', 'user.inactive', 'The user is deactivated.');
}

function wrongCredentials(): Refusal {
  return new Refusal('unauthenticated', 'credentials.invalid', 'Wrong credentials.');
}
