import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import { activeProviders } from '../../../shared/domain/login/sign-in-provider.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { always } from '../../../shared/http/describe/error-lists.ts';
import { nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { redirectUriOf } from './redirect-uri.ts';

/** Registers the call with which EspoCRM's clients start a sign-in. They know only one provider, the first active one. */
export function registerEspoOidcRoutes(server: FastifyInstance, context: CommandContext): void {
  server.get('/api/v1/Oidc/authorizationData', readAuthorizationData, async (request, reply) => {
    const [provider] = activeProviders(context.directory);
    if (provider === undefined) {
      throw new Refusal('forbidden', 'sign_in.off', 'No OpenID Connect provider is active.');
    }
    const { clientId, groupClaim, maxAgeSeconds, prompt, scopes } = provider;
    const claims = groupClaim === null ? null : { id_token: { [groupClaim]: { essential: true } } };
    return sendJson(reply, {
      clientId,
      endpoint: await context.singleSignOn.connections.authorizationEndpoint(provider),
      redirectUri: redirectUriOf(request, context.config),
      scopes: ['openid', ...scopes],
      claims: claims === null ? null : JSON.stringify(claims),
      prompt: prompt ?? 'consent',
      maxAge: maxAgeSeconds,
    });
  });
}

const readAuthorizationData = describeRoute({
  id: 'Oidc_authorizationData',
  tag: 'Single sign-on',
  summary: 'Read how to start a sign-in at the first active provider',
  description:
    'For clients of EspoCRM. After the sign-in they send the code to `GET App/user` as the password of the user `**oidc`, with the nonce in `X-Oidc-Authorization-Nonce`.',
  answer: objectOf({
    clientId: text,
    endpoint: text,
    redirectUri: text,
    scopes: { type: 'array', items: text },
    claims: nullableText,
    prompt: text,
    maxAge: { type: ['integer', 'null'] },
  }),
  errors: [...always, 'sign_in.off', 'sign_in.rejected', 'sign_in.unreachable'],
  isOpen: 'always',
});
