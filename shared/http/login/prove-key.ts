import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { LoginDeps } from './login-deps.ts';
import type { Credentials } from './read-credentials.ts';

type KeyCredentials = Extract<Credentials, { kind: 'key' | 'hmac' }>;

const MAX_KNOWN_KEYS = 10_000;

/**
 * Returns a function that finds the user to whom a request's key or signature belongs; undefined if it belongs to no
 * user.
 */
export function createProveKey(deps: LoginDeps) {
  const byApiKey = createApiKeyProof(deps);
  const byHmac = createHmacProof(deps);
  return (request: FastifyRequest, credentials: KeyCredentials): RecordState | undefined =>
    credentials.kind === 'key' ? byApiKey(credentials.apiKey) : byHmac(request, credentials.header);
}

function createApiKeyProof({ directory, secrets }: LoginDeps) {
  // Hashes of keys that were verified earlier: computing a hash costs more than the rest of the authentication.
  const hashes = new Map<string, string>();
  return (apiKey: string): RecordState | undefined => {
    const known = hashes.get(apiKey);
    const hash = known ?? secrets.lookupHash(apiKey);
    const user = directory.userByApiKeyHash(hash);
    if (user === undefined || !isApiUser(user, 'ApiKey')) return undefined;
    if (known === undefined && hashes.size < MAX_KNOWN_KEYS) hashes.set(apiKey, hash);
    return user;
  };
}

function createHmacProof({ directory, secrets }: LoginDeps) {
  // Keyed by the user's state, which is a new object after each change, so a rotated secret is never used.
  const secretKeys = new WeakMap<RecordState, KeyObject>();

  function secretKeyOf(user: RecordState): KeyObject {
    const known = secretKeys.get(user);
    if (known !== undefined) return known;
    const key = createSecretKey(Buffer.from(secrets.open(String(user.values['secretKey']))));
    secretKeys.set(user, key);
    return key;
  }

  return ({ method, originalUrl }: FastifyRequest, header: string): RecordState | undefined => {
    const credentials = readHmacCredentials(header);
    if (credentials === undefined) return undefined;
    const user = directory.userByApiKeyHash(secrets.lookupHash(credentials.apiKey));
    if (user === undefined || !isApiUser(user, 'Hmac')) return undefined;
    const signed = `${method} ${signedPath(originalUrl)}`;
    return isSignedWith(secretKeyOf(user), signed, credentials.hash) ? user : undefined;
  };
}

function isApiUser(user: RecordState, authMethod: 'ApiKey' | 'Hmac'): boolean {
  return user.values['type'] === 'api' && user.values['authMethod'] === authMethod;
}

const COLON = 0x3a;

/**
 * Parses the X-Hmac-Authorization header; returns undefined if it contains no key. Published clients concatenate two
 * base64 texts or put a `=` in the middle, which EspoCRM tolerates. Node would stop at the `=`, so all characters that
 * are not base64 are removed first. Depending on the client, the hash is hexadecimal text or 32 raw bytes.
 */
export function readHmacCredentials(header: string) {
  const bytes = Buffer.from(header.replace(/[^A-Za-z0-9+/]/g, ''), 'base64');
  const end = bytes.indexOf(COLON);
  if (end === -1) return undefined;
  return { apiKey: bytes.toString('latin1', 0, end), hash: bytes.subarray(end + 1) };
}

/** `signed` is the method, a space and the path after the API root, exactly as the client sent them. */
export function isSignedWith(secretKey: KeyObject, signed: string, hash: Buffer): boolean {
  const expected = createHmac('sha256', secretKey).update(signed, 'latin1').digest();
  if (hash.length === expected.length) return timingSafeEqual(hash, expected);
  const hex = Buffer.from(expected.toString('hex'));
  return hash.length === hex.length && timingSafeEqual(hash, hex);
}

const root = '/api/v1';

/**
 * `//api/v1/Contact?maxSize=5` → `/Contact`. Nothing is decoded or normalized, because the client signed the path as it
 * sent it.
 */
export function signedPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const start = path.indexOf(root);
  return start === -1 ? path : path.slice(start + root.length);
}
