import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTokenLike } from './prove-token.ts';
import { readCookie, singleHeader } from './read-credentials.ts';

/** Holds the token of a log-in out of reach of scripts, for pages that this installation serves itself. */
const sessionCookie = 'annals-session';
/** Over TLS: a browser takes a cookie of such a name from this very host alone, and never over plain HTTP. */
const secureCookie = `__Host-${sessionCookie}`;
/** Change nothing, and other origins cannot read their answers. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The token in the session cookie of a request, undefined if there is none that counts: the cookie of a request that a
 * page of another origin sent is as good as absent.
 */
export function readSession(request: FastifyRequest): string | undefined {
  const token = readCookie(request.headers.cookie, nameFor(request));
  return token !== undefined && isTokenLike(token) && isSameOrigin(request) ? token : undefined;
}

/**
 * Whether a page of this very origin sent a request. Browsers say so in Sec-Fetch-Site, but over plain HTTP only to
 * localhost; otherwise a request that may change something has to name its origin. Schemes are not compared: behind TLS
 * that ends elsewhere, only the browser knows that there is any.
 */
export function isSameOrigin({ method, headers, host }: FastifyRequest): boolean {
  const site = singleHeader(headers['sec-fetch-site']);
  if (site !== undefined) return site === 'same-origin';
  const origin = singleHeader(headers.origin);
  if (origin === undefined) return safeMethods.has(method);
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Gives the browser a token to keep, or takes it away. It forgets it at its own end, Annals when the log-in expires. */
export function setSession(reply: FastifyReply, token: string | null): void {
  const name = nameFor(reply.request);
  const secure = name === secureCookie ? '; Secure' : '';
  const value = token ?? '; Max-Age=0';
  void reply.header('Set-Cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`);
}

/**
 * Of the cookie, as far as one can tell: only the browser knows of TLS that ends elsewhere, unless what ends it says so.
 * Browsers send Sec-Fetch-Site over TLS, and to their own machine.
 */
function nameFor({ protocol, headers, hostname }: FastifyRequest): string {
  const isOverTls =
    protocol === 'https' ||
    headers.origin?.startsWith('https://') === true ||
    (headers['sec-fetch-site'] !== undefined && !ownMachine.test(hostname));
  return isOverTls ? secureCookie : sessionCookie;
}

const ownMachine = /^(?:localhost|.+[.]localhost|127[.][0-9.]+|\[::1\])$/i;
