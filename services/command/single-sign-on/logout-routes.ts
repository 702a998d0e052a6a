import type { FastifyInstance } from 'fastify';
import { decodeJwt, type JWTPayload } from 'jose';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { AuthToken } from '../../../shared/domain/login/auth-token.ts';
import {
  activeProviders,
  type SignInProvider,
} from '../../../shared/domain/login/sign-in-provider.ts';
import { isObject, toObject } from '../../../shared/domain/value/attribute-values.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { always } from '../../../shared/http/describe/error-lists.ts';
import { objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { identityIdOf } from './single-sign-on-commands.ts';

const MAX_BODY_BYTES = 64 * 1024;
/** The event that a logout token must name (OpenID Connect Back-Channel Logout 1.0). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Registers the address to which providers report that a user has signed out there. The log-ins end through the log, so
 * every process rejects them within a second.
 */
export function registerLogoutRoutes(server: FastifyInstance, context: CommandContext): void {
  const { directory, logins } = context;
  // A separate scope, because only this route accepts forms.
  void server.register(async (scope) => {
    const options = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const;
    scope.addContentTypeParser(formType, options, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    });
    scope.post('/api/v1/Oidc/backchannelLogout', backchannelLogout, async (request, reply) => {
      const token = toObject(request.body)['logout_token'];
      if (typeof token !== 'string') throw invalid('the body has no logout_token');
      const provider = providerOf(context, token);
      const claims = await context.singleSignOn.connections.verifyLogoutToken(provider, token);
      requireLogout(claims);
      const ending = [...directory.authTokens()].filter((login) =>
        isMeant(login, provider, claims),
      );
      await Promise.all(
        ending.map(async ({ id, userId }) => {
          const user = directory.record('User', userId);
          if (user !== undefined) await logins.endLogins(user, [id]);
        }),
      );
      context.log.info({ providerId: provider.id, logins: ending.length }, 'log-ins ended');
      return sendJson(reply, {});
    });
  });
}

/** Returns the active provider that the unverified token names. Only its keys are read to verify the token. */
function providerOf({ directory }: CommandContext, token: string): SignInProvider {
  const { iss, aud } = decode(token);
  const audiences = [aud].flat();
  const found = activeProviders(directory).find(
    ({ issuer, clientId }) => issuer === iss && audiences.includes(clientId),
  );
  if (found === undefined) throw invalid('no active provider has its issuer and audience');
  return found;
}

function decode(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    throw invalid('it is not a JWT');
  }
}

/** Rejects other tokens of the provider, such as ID tokens. */
function requireLogout({ sub, sid, events, nonce }: JWTPayload): void {
  if (!isObject(toObject(events)[logoutEvent])) throw invalid('it is not for a logout');
  if (nonce !== undefined) throw invalid('it has a nonce');
  if (typeof sub !== 'string' && typeof sid !== 'string') {
    throw invalid('it names neither a subject nor a session');
  }
}

/** A token with a session ends the log-ins of this session, others end all log-ins with the account. */
function isMeant(
  { origin }: AuthToken,
  provider: SignInProvider,
  { sub, sid }: JWTPayload,
): boolean {
  if (origin === null || origin.providerId !== provider.id) return false;
  if (typeof sub === 'string' && origin.identityId !== identityIdOf(provider.issuer, sub)) {
    return false;
  }
  return typeof sid !== 'string' || origin.sessionId === sid;
}

function invalid(reason: string): Refusal {
  return new Refusal('invalid', 'logout_token.invalid', `Invalid logout token: ${reason}.`);
}

const formType = 'application/x-www-form-urlencoded';

const backchannelLogout = describeRoute({
  id: 'Oidc_backchannelLogout',
  tag: 'Single sign-on',
  summary: 'End the log-ins of a user who signed out at the provider',
  description:
    'For providers (OpenID Connect Back-Channel Logout). The signature of the logout token authenticates the request.',
  body: objectOf({ logout_token: text }),
  bodyType: formType,
  answer: objectOf({}),
  errors: [
    ...always,
    'body.too_large',
    'logout_token.invalid',
    'sign_in.rejected',
    'sign_in.unreachable',
  ],
  isOpen: 'always',
});
