import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/errors.ts';
import { wrongCredentials } from './wrong-credentials.ts';

export type Credentials =
  | { readonly kind: 'key'; readonly apiKey: string }
  | { readonly kind: 'hmac'; readonly header: string }
  | SessionCredentials
  | PasswordCredentials;

/** The session of a page that this installation serves. */
export interface SessionCredentials {
  readonly kind: 'session';
  /** The token of a login. */
  readonly secret: string;
}

export interface PasswordCredentials extends Password {
  readonly kind: 'password';
  /** True if the secret must be a token, not a password. */
  readonly isTokenOnly: boolean;
  /** From Espo-Authorization: the right password starts a login with a token. */
  readonly startsLogin: boolean;
}

/**
 * Returns the credentials of a request, unverified: the first of Espo-Authorization, X-Api-Key, X-Hmac-Authorization
 * and Authorization. Undefined if the request has none.
 */
export function readCredentials({ headers }: FastifyRequest): Credentials | undefined {
  const isTokenOnly = isTrue(headers['espo-authorization-by-token']);
  const espo = singleHeader(headers['espo-authorization']);
  if (espo !== undefined) {
    const password = decodePassword(espo);
    if (password === undefined) throw malformed();
    return { kind: 'password', ...password, isTokenOnly, startsLogin: true };
  }
  const apiKey = singleHeader(headers['x-api-key']);
  const hmac = singleHeader(headers['x-hmac-authorization']);
  if (apiKey !== undefined || hmac !== undefined) {
    if (isTokenOnly) throw wrongCredentials();
    return apiKey === undefined ? { kind: 'hmac', header: hmac ?? '' } : { kind: 'key', apiKey };
  }
  const basic = readBasic(headers.authorization);
  return basic && { kind: 'password', ...basic, isTokenOnly, startsLogin: false };
}

/** EspoCRM's clients send a code that a provider issued as the password of this user, whose name no user can have. */
export function isProviderCode({ userName, isTokenOnly }: PasswordCredentials): boolean {
  return userName === '**oidc' && !isTokenOnly;
}

/** Also returns undefined for an empty header. */
export function singleHeader(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header) || undefined;
}

export function isTrue(header: string | string[] | undefined): boolean {
  return singleHeader(header)?.toLowerCase() === 'true';
}

/** Returns the value of a cookie; undefined if the request does not contain the cookie. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}

interface Password {
  readonly userName: string;
  /** A password, or the token of a login. */
  readonly secret: string;
}

/** Returns undefined if the header is missing or has a scheme other than Basic. */
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
  return end === -1 ? undefined : { userName: text.slice(0, end), secret: text.slice(end + 1) };
}

function malformed(): Refusal {
  const message = 'Auth: Bad authorization string provided.';
  return new Refusal('invalid', 'credentials.malformed', message);
}
