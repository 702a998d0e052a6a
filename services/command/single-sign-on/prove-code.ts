import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  activeProviders,
  type SignInProvider,
} from '../../../shared/domain/login/sign-in-provider.ts';
import type { Proof } from '../../../shared/http/login/prove-login.ts';
import { singleHeader } from '../../../shared/http/login/read-credentials.ts';
import { wrongCredentials } from '../../../shared/http/login/wrong-credentials.ts';
import type { CommandContext } from '../context.ts';
import { admitUser } from './admit-user.ts';
import { readAccount } from './read-claims.ts';
import { redirectUriOf } from './redirect-uri.ts';
import { originOf } from './sign-in-routes.ts';

/**
 * Finds the user of an authorization code that a client of EspoCRM sent as a password. These clients start the
 * authorization themselves, without PKCE, so the nonce binds the code to them.
 */
export async function proveCode(
  context: CommandContext,
  request: FastifyRequest,
  code: string,
): Promise<Proof> {
  const [provider] = activeProviders(context.directory);
  const nonce = singleHeader(request.headers['x-oidc-authorization-nonce']);
  if (provider === undefined || nonce === undefined) throw wrongCredentials();
  try {
    return await context.singleSignOn.limited(request, () =>
      prove(context, request, { provider, nonce, code }),
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'forbidden') throw error;
    // EspoCRM's clients expect 401 for every failed sign-in.
    throw new Refusal('unauthenticated', 'credentials.invalid', error.message);
  }
}

async function prove(
  context: CommandContext,
  request: FastifyRequest,
  {
    provider,
    nonce,
    code,
  }: { readonly provider: SignInProvider; readonly nonce: string; readonly code: string },
): Promise<Proof> {
  const claims = await context.singleSignOn.connections.exchange(provider, {
    redirectUri: redirectUriOf(request, context.config),
    search: `?${new URLSearchParams({ code })}`,
    nonce,
    state: null,
    codeVerifier: null,
  });
  const account = readAccount(claims, provider);
  const proven = await admitUser(context, provider, account);
  return { proven, token: null, startsLogin: true, origin: originOf(account, provider) };
}
