import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/errors.ts';
import { isTokenLike } from './prove-token.ts';
import { readCookie, readCredentials, singleHeader } from './read-credentials.ts';

/** The cookie for pages that this installation itself serves. It keeps a login's token away from scripts. */
const sessionCookie = 'annals-session';
/** Used over TLS: browsers accept a cookie with this prefix only from this exact host and never over plain HTTP. */
const securePrefix = '__Host-';
/** These methods change nothing, and other origins cannot read their responses. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns the token in the session cookie of a request. A cookie that accompanies a request from another origin is
 * ignored.
 */
export function readSession(request: FastifyRequest): string | undefined {
  const token = readOwnCookie(request, sessionCookie);
  return token !== undefined && isTokenLike(token) && isSameOrigin(request) ? token : undefined;
}

/** Returns whether the session cookie of a request identifies its user: headers with credentials take precedence. */
export function isBySession(request: FastifyRequest): boolean {
  return readCredentials(request) === undefined && readSession(request) !== undefined;
}

/**
 * Returns whether a page of this origin sent the request. Browsers report this in Sec-Fetch-Site, but over plain HTTP
 * only to localhost; otherwise a request that may change something must have a matching Origin. Schemes are not
 * compared: if a proxy terminates TLS, only the browser sees https.
 */
function isSameOrigin({ method, headers, host }: FastifyRequest): boolean {
  const site = singleHeader(headers['sec-fetch-site']);
  if (site !== undefined) return site === 'same-origin';
  const origin = singleHeader(headers.origin);
  if (origin === undefined) return safeMethods.has(method);
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Rejects a request that no page of this origin sent; `message` says what only such pages can do. */
export function requireSameOrigin(request: FastifyRequest, message: string): void {
  if (!isSameOrigin(request)) throw new Refusal('forbidden', 'session.origin', message);
}

/**
 * Sets or removes the session cookie. The browser drops the cookie on exit; Annals rejects the cookie when the login
 * expires.
 */
export function setSession(reply: FastifyReply, token: string | null): void {
  setOwnCookie(reply, sessionCookie, token);
}

/** Returns the value of a cookie that `setOwnCookie` has set; undefined if the request does not contain it. */
export function readOwnCookie(request: FastifyRequest, name: string): string | undefined {
  return readCookie(request.headers.cookie, nameFor(request, name));
}

/** Sets or removes a cookie that only requests from pages of this origin contain, and that scripts cannot read. */
export function setOwnCookie(reply: FastifyReply, base: string, value: string | null): void {
  const name = nameFor(reply.request, base);
  const secure = name === base ? '' : '; Secure';
  const content = value ?? '; Max-Age=0';
  void reply.header('Set-Cookie', `${name}=${content}; Path=/; HttpOnly; SameSite=Strict${secure}`);
}

function nameFor(request: FastifyRequest, name: string): string {
  return isOverTls(request) ? `${securePrefix}${name}` : name;
}

/**
 * Returns whether the browser uses TLS. If a proxy terminates TLS without a header that shows it, Origin and
 * Sec-Fetch-Site reveal it: browsers send Sec-Fetch-Site only over TLS and to localhost.
 */
export function isOverTls({ protocol, headers, hostname }: FastifyRequest): boolean {
  return (
    protocol === 'https' ||
    headers.origin?.startsWith('https://') === true ||
    (headers['sec-fetch-site'] !== undefined && !ownMachine.test(hostname))
  );
}

const ownMachine = /^(?:localhost|.+[.]localhost|127[.][0-9.]+|\[::1\])$/i;
