import type { FastifyRequest } from 'fastify';
import { isOverTls } from '../../../shared/http/login/session-cookie.ts';

/** The page of the console to which providers send browsers back. EspoCRM has the same path. */
const redirectPath = '/oauth-callback.php';

/**
 * Returns the address to which a provider sends the browser back, on the host of the request. The provider accepts only
 * addresses that were registered with it, so a forged host leads nowhere.
 */
export function redirectUriOf(request: FastifyRequest): string {
  return `${isOverTls(request) ? 'https' : 'http'}://${request.host}${redirectPath}`;
}
