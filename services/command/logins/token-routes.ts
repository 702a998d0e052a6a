import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { reading, withBody } from '../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { flag, id, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import type { Identity } from '../../../shared/http/login/authenticate.ts';
import { tokenSecretCookie } from '../../../shared/http/login/prove-token.ts';
import { isTrue } from '../../../shared/http/login/read-credentials.ts';
import { toAppUser } from '../../../shared/http/login/to-app-user.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import type { LoginWrites } from './login-writes.ts';

/** Registers the routes for logging in and out (docs/reference/authentication.md). */
export function registerTokenRoutes(server: FastifyInstance, context: CommandContext): void {
  const { authentication, directory, logins, secrets } = context;

  // A log-in begins here, because only this response contains the token.
  server.get('/api/v1/App/user', readAppUser, async (request, reply) => {
    const identity = await authentication.identify(request);
    await context.untilConsistent(request.headers);
    const token = identity.startsLogin ? await startLogin(logins, identity, reply) : identity.token;
    return toAppUser(directory, { ...latest(directory, identity), token }, context.config);
  });

  const destroy = async (request: FastifyRequest, reply: FastifyReply) => {
    const { proven } = await authentication.identify(request);
    const { token } = requireObject(request.body);
    if (typeof token !== 'string' || token === '') {
      throw new Refusal('invalid', 'token.missing', 'No token given.');
    }
    const found = directory.authTokenByHash(secrets.tokenHash(token));
    const mayEnd = proven.values['type'] === 'admin' || found?.userId === proven.id;
    if (found === undefined || !mayEnd) return sendJson(reply, false);
    const ended = await logins.endLogins(proven, [found.id]);
    return sendJson(setWriteHeaders(reply, ended), true);
  };
  server.post('/api/v1/App/destroyAuthToken', destroyToken('destroyAuthToken'), destroy);
  // The path that older clients use.
  const alias = destroyToken('action_destroyAuthToken');
  server.post('/api/v1/App/action/destroyAuthToken', alias, destroy);
}

/** Reads the user again after waiting: the awaited change may concern the user's own permissions. */
function latest(directory: Directory, identity: Identity): Identity {
  const user = directory.record('User', identity.user.id) ?? identity.user;
  return { ...identity, user, actor: directory.actor(user) };
}

async function startLogin(
  logins: LoginWrites,
  { proven, origin }: Identity,
  reply: FastifyReply,
): Promise<string> {
  const { headers, protocol } = reply.request;
  const withSecret = isTrue(headers['espo-authorization-create-token-secret']);
  const { token, secret } = await logins.issueToken(proven, {
    withSecret,
    userAgent: headers['user-agent'],
    origin,
  });
  if (secret !== null) {
    const cookie = `${tokenSecretCookie}=${secret}; Path=/; HttpOnly; SameSite=Lax`;
    void reply.header('Set-Cookie', protocol === 'https' ? `${cookie}; Secure` : cookie);
  }
  return token;
}

const tag = 'Logging in';

const tabList = {
  type: 'array',
  items: text,
  description: 'The entity types that clients show first in their navigation.',
};

/** The schema of responses to `GET App/user`. */
const appUser: Part = objectOf({
  user: {
    ...objectOf({ id, userName: text, type: text, isAdmin: flag }),
    description: 'The attributes of a User, without permissions.',
  },
  acl: refer('schemas', 'acl'),
  preferences: { type: 'object' },
  token: {
    type: ['string', 'null'],
    description: 'Used instead of the password in later requests.',
  },
  settings: { type: 'object', properties: { version: text, tabList } },
  language: text,
  appParams: { type: 'object' },
});

const readAppUser = describeRoute({
  id: 'App_user',
  tag,
  summary: 'Read the current user and their permissions',
  description: 'With a password in `Espo-Authorization` the request begins a log-in: see `token`.',
  parameters: [
    'Espo-Authorization-By-Token',
    'Espo-Authorization-Code',
    'Espo-Authorization-Create-Token-Secret',
    'X-Consistency-Token',
  ],
  schemas: { appUser },
  answer: refer('schemas', 'appUser'),
  headers: ['Set-Cookie'],
  errors: reading,
});

function destroyToken(name: string) {
  return describeRoute({
    id: `App_${name}`,
    tag,
    summary: 'End a log-in',
    body: objectOf({ token: id }),
    answer: { ...flag, description: 'False if the log-in does not exist.' },
    headers: ['X-Consistency-Token'],
    errors: [...withBody, 'token.missing'],
  });
}
