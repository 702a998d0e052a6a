import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuthToken } from '../../../shared/domain/login/auth-token.ts';
import { recordNotFound } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { known, reading } from '../../../shared/http/describe/error-lists.ts';
import {
  flag,
  id,
  nullableText,
  objectOf,
  pageOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import type { Identity } from '../../../shared/http/login/authenticate.ts';
import { isValidLogin } from '../../../shared/http/login/is-valid-login.ts';
import { readSession, setSession } from '../../../shared/http/login/session-cookie.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { setWriteHeaders } from '../http/send-written.ts';

const path = '/api/v1/UserSecurity/sessions';

/**
 * Registers the routes with which users list and end their own log-ins, with or without a cookie
 * (docs/reference/authentication.md#your-log-ins). Administrators who act as another user can list and end only their
 * own.
 */
export function registerOwnSessionsRoutes(server: FastifyInstance, context: CommandContext): void {
  const { authentication, directory, logins } = context;

  server.get(path, listSessions, async (request) => {
    const identity = await authentication.identify(request);
    await context.untilConsistent(request.headers);
    const current = currentOf(context, request, identity);
    const list = validOf(context, identity.proven)
      .toSorted((one, other) => other.usedAtMs - one.usedAtMs)
      .map((login) => toSession(login, current));
    return { total: list.length, list };
  });

  server.delete<{ Params: { readonly id: string } }>(
    `${path}/:id`,
    endOne,
    async (request, reply) => {
      const identity = await authentication.identify(request);
      const { id: wanted } = request.params;
      const isWanted = (login: AuthToken): boolean => login.id === wanted;
      const find = () => directory.authTokensOf(identity.proven.id).find(isWanted);
      if (find() === undefined) await context.catchUp();
      const found = find();
      if (found === undefined) throw recordNotFound(wanted);
      const isCurrent = currentOf(context, request, identity)?.id === wanted;
      const ended = await logins.endLogins(identity.proven, [wanted]);
      if (isCurrent && readSession(request) !== undefined) setSession(reply, null);
      return sendJson(setWriteHeaders(reply, ended), true);
    },
  );
}

/** Returns the log-in that the request uses; undefined if it is authenticated by a password, key or signature. */
function currentOf(
  { directory, secrets }: CommandContext,
  request: FastifyRequest,
  { token, proven }: Identity,
): AuthToken | undefined {
  const sent = token ?? readSession(request);
  const found = sent === undefined ? undefined : directory.authTokenByHash(secrets.tokenHash(sent));
  return found?.userId === proven.id ? found : undefined;
}

/** Returns the log-ins that are still accepted. Expired ones are ended only when the user logs in again. */
function validOf(
  { clock, config, directory, secrets }: CommandContext,
  user: RecordState,
): readonly AuthToken[] {
  const { tokenLifetime } = config;
  return directory
    .authTokensOf(user.id)
    .filter((login) =>
      isValidLogin({ directory, secrets, tokenLifetime, now: clock.now }, login, user),
    );
}

function toSession({ id, userAgent, issuedAtMs, usedAtMs }: AuthToken, current?: AuthToken) {
  return {
    id,
    userAgent,
    createdAt: formatDateTime(issuedAtMs),
    usedAt: formatDateTime(usedAtMs),
    isCurrent: id === current?.id,
  };
}

const tag = 'Logging in';

const listSessions = describeRoute({
  id: 'UserSecurity_sessions',
  tag,
  summary: 'List the log-ins of the current user',
  description: 'The most recently used ones come first. Uses are recorded about once per hour.',
  parameters: ['X-Consistency-Token'],
  answer: pageOf(
    objectOf({
      id,
      userAgent: {
        ...nullableText,
        description: 'The `User-Agent` of the request that logged in; null if it is unknown.',
      },
      createdAt: text,
      usedAt: text,
      isCurrent: { ...flag, description: 'True for the log-in that this request uses.' },
    }),
  ),
  errors: reading,
});

const endOne = describeRoute({
  id: 'UserSecurity_sessions_end',
  tag,
  summary: 'End a log-in of the current user',
  parameters: ['id'],
  answer: { const: true },
  headers: ['Set-Cookie', 'X-Consistency-Token'],
  errors: [...known, 'record.not_found'],
});
