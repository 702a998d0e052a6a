import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SignIn } from '../../../shared/audit/access-tables.ts';
import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import {
  externalIdentityType,
  toExternalIdentity,
} from '../../../shared/domain/login/external-identity.ts';
import {
  type SignInProvider,
  signInProviderType,
  toSignInProvider,
} from '../../../shared/domain/login/sign-in-provider.ts';
import { recordNotFound } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { reading, withBody, written } from '../../../shared/http/describe/error-lists.ts';
import {
  anything,
  id,
  ids,
  nullableText,
  objectOf,
  pageOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { passwordHashOf } from '../../../shared/http/login/password-hash-of.ts';
import {
  readOwnCookie,
  requireSameOrigin,
  setOwnCookie,
} from '../../../shared/http/login/session-cookie.ts';
import { requireObject, requireText } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { beginSession } from '../logins/begin-session.ts';
import { admitUser, linkAccount } from './admit-user.ts';
import { type Account, applyGroups, type Claims, readAccount } from './read-claims.ts';
import { redirectUriOf } from './redirect-uri.ts';
import { openFlow, purposes, type SignInFlow, sealFlow, startFlow } from './sign-in-flow.ts';
import { identityIdOf, unlinkIdentityCommand } from './single-sign-on-commands.ts';

/** The cookie with the sealed flow. A later authorization in the same browser replaces an earlier one. */
const flowCookie = 'annals-sign-in';

const sameOriginOnly = 'Only pages from the same origin can sign in through a provider.';

/**
 * Registers the routes with which the console signs users in, links their accounts and tests settings
 * (docs/reference/authentication.md#single-sign-on).
 *
 *   POST authorization ──▶ cookie with the sealed flow, address of the provider
 *   browser at the provider ──▶ /oauth-callback.php?code=…&state=… in the console
 *   POST complete with that query ──▶ code exchanged for claims ──▶ session, link, or claims to show
 */
export function registerSignInRoutes(server: FastifyInstance, context: CommandContext): void {
  const { secrets, now } = context;

  server.post('/api/v1/Oidc/authorization', authorize, async (request, reply) => {
    requireSameOrigin(request, sameOriginOnly);
    const body = requireObject(request.body);
    const purpose = purposes.find((one) => one === (body['purpose'] ?? 'signIn'));
    if (purpose === undefined) throw invalidPurpose();
    const user = await requireUser(context, request, purpose);
    const provider = requireProvider(context, requireText(body, 'providerId'), purpose);
    if (purpose === 'link' && user !== null) await confirmLink(context, request, { user, body });
    const redirectUri = redirectUriOf(request, context.config);
    const flow = startFlow(
      { providerId: provider.id, purpose, userId: user?.id ?? null, redirectUri },
      now(),
    );
    const url = await context.singleSignOn.connections.authorizationUrl(provider, flow);
    setOwnCookie(reply, flowCookie, sealFlow(flow, secrets));
    return sendJson(reply, { url });
  });

  server.post('/api/v1/Oidc/complete', complete, async (request, reply) => {
    requireSameOrigin(request, sameOriginOnly);
    const search = requireText(requireObject(request.body), 'search');
    const state = new URLSearchParams(search).get('state') ?? '';
    const flow = openFlow(readOwnCookie(request, flowCookie), state, { secrets, now: now() });
    if (flow === undefined) throw expired();
    // Each flow is completed at most once in a browser, and the provider accepts each code only once.
    setOwnCookie(reply, flowCookie, null);
    if (flow.purpose === 'signIn') {
      await context.singleSignOn.limited(request, () =>
        signIn(context, { flow, search, request, reply }),
      );
      return sendJson(reply, { purpose: flow.purpose });
    }
    const { id: userId } = await requireUser(context, request, flow.purpose);
    if (userId !== flow.userId) throw expired();
    const provider = requireProvider(context, flow.providerId, flow.purpose);
    const claims = await context.singleSignOn.connections.exchange(provider, { ...flow, search });
    if (flow.purpose === 'test') return sendJson(reply, shownTest(claims, provider));
    await linkAccount(context, readAccount(claims, provider), userId);
    await context.catchUp();
    return sendJson(reply, { purpose: flow.purpose });
  });

  registerAccounts(server, context);
}

interface Completion {
  readonly flow: SignInFlow;
  readonly search: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function signIn(context: CommandContext, completion: Completion): Promise<void> {
  const { flow, search, request, reply } = completion;
  const provider = requireProvider(context, flow.providerId, flow.purpose);
  const { account, user } = await recorded(context, request, async () => {
    const claims = await context.singleSignOn.connections.exchange(provider, { ...flow, search });
    const found = readAccount(claims, provider);
    return { account: found, user: await admitUser(context, provider, found) };
  });
  await beginSession(context, { user, origin: originOf(account, provider), request, reply });
  // The next request reads the session from the directory in memory.
  await context.catchUp();
}

/** Records a sign-in for administrators, as authentication does for passwords (docs/reference/system.md#audit). */
async function recorded<Result extends { readonly user: RecordState }>(
  { accessWatch, log, now }: CommandContext,
  { ip: address, trace }: FastifyRequest,
  find: () => Promise<Result>,
): Promise<Result> {
  const requestId = trace?.traceId ?? null;
  const record = (signIn: Pick<SignIn, 'userId' | 'userName' | 'reason'>) =>
    accessWatch.recordSignIn({ ...signIn, method: 'oidc', atMs: now(), address, requestId });
  try {
    const found = await find();
    const { id: userId, values } = found.user;
    record({ userId, userName: String(values['userName']), reason: null });
    return found;
  } catch (error) {
    if (error instanceof Refusal || error instanceof Unavailable) {
      log.info({ code: error.code, reason: error.message }, 'sign-in through a provider failed');
      record({ userId: null, userName: null, reason: error.code });
    }
    throw error;
  }
}

/** Returns the origin of a log-in, which ends with the account, the provider, or the provider's session. */
export function originOf(
  { issuer, subject, sessionId }: Account,
  { id: providerId }: SignInProvider,
) {
  return { identityId: identityIdOf(issuer, subject), providerId, sessionId };
}

function shownTest(claims: Claims, provider: SignInProvider) {
  const {
    groups,
    userName = null,
    firstName,
    lastName,
    emailAddress,
  } = readAccount(claims, provider);
  const none = { teamsIds: [], rolesIds: [] };
  const rights = groups === null ? none : applyGroups(none, groups, provider.groups);
  return {
    purpose: 'test',
    claims,
    user: { userName, firstName, lastName, emailAddress, ...rights },
  };
}

/** Registers the routes with which users list and remove their linked accounts. */
function registerAccounts(server: FastifyInstance, context: CommandContext): void {
  const { authentication, directory } = context;

  server.get('/api/v1/Oidc/accounts', listAccounts, async (request) => {
    const { user } = await authentication.identify(request);
    await context.untilConsistent(request.headers);
    const list = directory
      .records(externalIdentityType)
      .flatMap((state) => toExternalIdentity(state) ?? [])
      .filter(({ userId }) => userId === user.id)
      .map(({ id: accountId, issuer, accountName, linkedAtMs }) => ({
        id: accountId,
        issuer,
        accountName,
        linkedAt: formatDateTime(linkedAtMs),
      }));
    return { total: list.length, list };
  });

  server.delete<{ Params: { readonly id: string } }>(
    '/api/v1/Oidc/accounts/:id',
    removeAccount,
    async (request, reply) => {
      const { id: accountId } = request.params;
      const input = { command: unlinkIdentityCommand, body: {}, entity: 'User', id: accountId };
      const command = await readCommand(context, request, input);
      const answer = await context.sender.sendPlanned(unlinkIdentityCommand, {
        ...command,
        conditions: {},
        untilReadable: false,
        plan() {
          const known = toExternalIdentity(directory.record(externalIdentityType, accountId));
          if (known === undefined) throw recordNotFound(accountId);
          return {};
        },
      });
      await context.catchUp();
      return sendJson(setWriteHeaders(reply, [answer]), true);
    },
  );
}

/** A linked account signs in like the password, so a session alone must not add one. */
async function confirmLink(
  { authentication }: CommandContext,
  request: FastifyRequest,
  { user, body }: { readonly user: RecordState; readonly body: Readonly<Record<string, unknown>> },
): Promise<void> {
  if (passwordHashOf(user) === undefined) return;
  const password = requireText(body, 'currentPassword');
  await authentication.confirmPassword(request, user, password);
}

/** Returns the signed-in user; null for a sign-in, which needs none. */
async function requireUser<Purpose extends SignInFlow['purpose']>(
  { authentication }: CommandContext,
  request: FastifyRequest,
  purpose: Purpose,
): Promise<Purpose extends 'signIn' ? null : RecordState>;
async function requireUser(
  { authentication }: CommandContext,
  request: FastifyRequest,
  purpose: SignInFlow['purpose'],
): Promise<RecordState | null> {
  if (purpose === 'signIn') return null;
  const { proven, actor } = await authentication.identify(request);
  if (purpose === 'test') requireAdministrator(actor);
  return proven;
}

/** Settings can be tested before the provider is active. */
function requireProvider(
  { directory }: CommandContext,
  providerId: string,
  purpose: SignInFlow['purpose'],
): SignInProvider {
  const provider = toSignInProvider(directory.record(signInProviderType, providerId));
  if (provider !== undefined && (provider.isActive || purpose === 'test')) return provider;
  throw new Refusal('not_found', 'sign_in.no_provider', 'This provider does not exist or is off.');
}

function invalidPurpose(): Refusal {
  const message = `'purpose' must be one of ${purposes.join(', ')}.`;
  return new Refusal('invalid', 'body.value_missing', message);
}

function expired(): Refusal {
  const message = 'This sign-in has expired, or was started in another browser. Start it again.';
  return new Refusal('invalid', 'sign_in.expired', message);
}

const tag = 'Single sign-on';

const signInErrors = [
  'session.origin',
  'sign_in.no_provider',
  'sign_in.rejected',
  'sign_in.unreachable',
] as const;

const authorize = describeRoute({
  id: 'Oidc_authorization',
  tag,
  summary: 'Start a sign-in at a provider',
  description:
    'For pages that this installation serves. Sets a cookie that binds the sign-in to the browser. `link` links an account to the current user; `test`, for administrators, returns its claims.',
  body: objectOf(
    {
      providerId: id,
      purpose: { enum: purposes, default: 'signIn' },
      currentPassword: { ...text, description: 'Required for `link` if the user has a password.' },
    },
    ['providerId'],
  ),
  answer: objectOf({ url: { ...text, description: 'Open this address in the browser.' } }),
  headers: ['Set-Cookie'],
  errors: [
    ...withBody,
    ...signInErrors,
    'access.admin_only',
    'body.value_missing',
    'password.wrong',
  ],
  isOpen: 'partly',
});

const complete = describeRoute({
  id: 'Oidc_complete',
  tag,
  summary: 'Complete a sign-in with the response of the provider',
  description:
    'For the purpose `signIn`, sets the cookie of a session, as `POST App/session` does.',
  body: objectOf({
    search: { ...text, description: 'The query with which the provider sent the browser back.' },
  }),
  answer: objectOf(
    {
      purpose: { enum: purposes },
      claims: anything,
      user: objectOf({
        userName: nullableText,
        firstName: nullableText,
        lastName: nullableText,
        emailAddress: nullableText,
        teamsIds: ids,
        rolesIds: ids,
      }),
    },
    ['purpose'],
  ),
  headers: ['Set-Cookie'],
  errors: [
    ...withBody,
    ...signInErrors,
    'access.admin_only',
    'body.value_missing',
    'sign_in.account_linked',
    'sign_in.claims',
    'sign_in.expired',
    'sign_in.name_taken',
    'sign_in.no_user',
    'sign_in.user_type',
  ],
  isOpen: 'partly',
});

const listAccounts = describeRoute({
  id: 'Oidc_accounts',
  tag,
  summary: 'List the accounts that are linked to the current user',
  parameters: ['X-Consistency-Token'],
  answer: pageOf(objectOf({ id, issuer: text, accountName: text, linkedAt: text })),
  errors: reading,
});

const removeAccount = describeRoute({
  id: 'Oidc_accounts_remove',
  tag,
  summary: 'Remove the link to an account',
  description: 'Log-ins with the account end. Administrators can remove the links of other users.',
  parameters: ['id', 'Idempotency-Key'],
  answer: { const: true },
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  errors: [...written, 'record.not_found'],
});
