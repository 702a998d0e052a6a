import type { FastifyRequest } from 'fastify';
import { isOverTls } from '../../../shared/http/login/session-cookie.ts';
import type { BaseContext } from '../context.ts';

/** The page of the console to which providers send browsers back. EspoCRM has the same path. */
const redirectPath = '/oauth-callback.php';

/**
 * Returns the address to which a provider sends the browser back: below PUBLIC_URL, or else on the host of the request.
 * A provider that accepts only the registered address rejects a forged host.
 */
export function redirectUriOf(
  request: FastifyRequest,
  { publicUrl }: Pick<BaseContext['config'], 'publicUrl'>,
): string {
  if (publicUrl !== undefined) return `${publicUrl}${redirectPath}`;
  return `${isOverTls(request) ? 'https' : 'http'}://${request.host}${redirectPath}`;
}
