import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { known, withBody } from '../../../shared/http/describe/error-lists.ts';
import { inQuery, refer } from '../../../shared/http/describe/part.ts';
import { flag } from '../../../shared/http/describe/schemas.ts';
import {
  readSession,
  requireSameOrigin,
  setSession,
} from '../../../shared/http/login/session-cookie.ts';
import { toAppUser } from '../../../shared/http/login/to-app-user.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { beginSession, sessionOf } from './begin-session.ts';

const path = '/api/v1/App/session';

const sameOriginOnly = 'Only pages from the same origin can begin and end sessions.';

/**
 * Registers the routes for browser sessions on this installation's own pages
 * (docs/reference/authentication.md#sessions-in-a-browser).
 */
export function registerSessionRoutes(server: FastifyInstance, context: CommandContext): void {
  const { authentication, directory, logins } = context;

  server.get(path, readOwnSession, async (request) => {
    if (readSession(request) === undefined) return null;
    try {
      const { user, actor } = await authentication.identify(request);
      return toAppUser(directory, { user, actor, token: null }, context.config);
    } catch (error) {
      // A missing session is not an error: the page then shows the sign-in form.
      if (isUnauthenticated(error)) return null;
      throw error;
    }
  });

  server.post(path, postSession, async (request, reply) => {
    requireSameOrigin(request, sameOriginOnly);
    const identity = await authentication.identify(request);
    if (!identity.startsLogin) {
      const message = 'To begin a session, send a password in Espo-Authorization.';
      throw new Refusal('invalid', 'session.password_missing', message);
    }
    const { proven: user, origin } = identity;
    await beginSession(context, { user, ...(origin && { origin }), request, reply });
    return sendJson(reply, toAppUser(directory, { ...identity, token: null }, context.config));
  });

  server.delete<{ Querystring: Readonly<Record<string, unknown>> }>(
    path,
    endSession,
    async (request, reply) => {
      requireSameOrigin(request, sameOriginOnly);
      const { proven } = await authentication.identify(request).catch((error) => {
        // If the directory cannot be read, the session is kept and can be ended later.
        if (isUnauthenticated(error)) setSession(reply, null);
        throw error;
      });
      const own = sessionOf(context, request);
      const isEverywhere = request.query['everywhere'] === 'true';
      if (isEverywhere) await context.catchUp();
      const all = isEverywhere ? directory.authTokensOf(proven.id) : [];
      const ids = new Set([...all, own].flatMap((login) => login?.id ?? []));
      const ended = await logins.endLogins(proven, [...ids]);
      setSession(reply, null);
      return sendJson(setWriteHeaders(reply, ended), true);
    },
  );
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof Refusal && error.kind === 'unauthenticated';
}

const tag = 'Logging in';

const readOwnSession = describeRoute({
  id: 'App_session',
  tag,
  summary: 'Read the user of a page session',
  answer: { anyOf: [refer('schemas', 'appUser'), { type: 'null' }] },
  errors: known,
});

const postSession = describeRoute({
  id: 'App_session_begin',
  tag,
  summary: 'Begin a session of a page',
  description:
    'With a password in `Espo-Authorization`, for pages that this installation serves. The token is in a cookie that scripts cannot read, and not in the response.',
  parameters: ['Espo-Authorization-Code'],
  answer: refer('schemas', 'appUser'),
  headers: ['Set-Cookie'],
  errors: [...withBody, 'session.origin', 'session.password_missing'],
});

const endSession = describeRoute({
  id: 'App_session_end',
  tag,
  summary: 'End the session of a page',
  parameters: [
    inQuery('everywhere', 'Ends every log-in of the user.', {
      schema: { ...flag, default: false },
    }),
  ],
  answer: { const: true },
  headers: ['Set-Cookie', 'X-Consistency-Token'],
  errors: [...known, 'session.origin'],
});
