import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { requirePassword } from '../../../shared/domain/login/require-password.ts';
import { emailType, isOpenRequest } from '../../../shared/domain/mail/queued-email.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { addressOf } from '../../../shared/http/address/address-of.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { always, ofBody, withBody } from '../../../shared/http/describe/error-lists.ts';
import { id, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { findAfterCatchUp } from '../../../shared/http/login/find-after-catch-up.ts';
import { createLoginLimit } from '../../../shared/http/login/login-limit.ts';
import { passwordHashOf, passwordMarkOf } from '../../../shared/http/login/password-hash-of.ts';
import { requireObject, requireText } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { queueEmail, recipientHashOf, requireAddress, requireMail } from '../mail/queue-email.ts';
import { hashOneByOne } from './hash-one-by-one.ts';
import { requireRecoverable, sendLink } from './send-link.ts';

const MAX_REQUESTS = 10;
const WINDOW_MS = 60_000;
/**
 * Every request for a link takes this long if the installation hides its users. Writing the e-mail to the log takes
 * milliseconds, so the time does not reveal whether it was written.
 */
const HIDING_MS = 1_000;

/** Registers the routes that set passwords with the help of an e-mail (docs/reference/authentication.md#forgotten-passwords). */
export function registerRecoveryRoutes(server: FastifyInstance, context: CommandContext): void {
  registerRequest(server, context);
  registerChange(server, context);
  registerByAdministrator(server, context);
}

/** A request that names a user and an address. */
interface Claim {
  readonly userName: string;
  readonly emailAddress: string;
  readonly url: string | null;
}

function registerRequest(server: FastifyInstance, context: CommandContext): void {
  const { config, log, requireRoom } = context;
  const requireRate = createRequireRate(context);

  server.post('/api/v1/User/passwordChangeRequest', requestChange, async (request, reply) => {
    const { hidesUsers, siteUrl } = requireMail(config);
    requireRate(request);
    const claim = readClaim(request.body, siteUrl);
    requireRoom(emailType);
    if (!hidesUsers) {
      await requestLink(context, claim);
      return sendJson(reply, true);
    }
    // Continues in the background if it takes longer than the pause, so that the time reveals nothing.
    requestLink(context, claim).catch((err: unknown) => {
      if (err instanceof Refusal) log.info({ code: err.code }, 'request for a password rejected');
      else log.warn({ err }, 'cannot send a link for a new password');
    });
    await sleep(HIDING_MS);
    return sendJson(reply, true);
  });
}

function readClaim(given: unknown, siteUrl: string): Claim {
  const body = requireObject(given);
  const userName = requireText(body, 'userName');
  const emailAddress = requireText(body, 'emailAddress');
  const { url = null } = body;
  if (url === null || url === '') return { userName, emailAddress, url: null };
  const isOwn = typeof url === 'string' && URL.canParse(url) && isBelow(new URL(url), siteUrl);
  if (isOwn) return { userName, emailAddress, url };
  const message = `url must be an address below ${siteUrl}.`;
  throw new Refusal('forbidden', 'password.url', message);
}

function isBelow({ origin, pathname }: URL, siteUrl: string): boolean {
  const site = new URL(siteUrl);
  const root = site.pathname.replace(/\/$/, '');
  return origin === site.origin && (pathname === root || pathname.startsWith(`${root}/`));
}

async function requestLink(context: CommandContext, claim: Claim): Promise<void> {
  const { userName, emailAddress, url } = claim;
  const find = () => {
    const user = context.directory.userByName(userName);
    const known = user?.values['emailAddress'];
    const isSame = typeof known === 'string' && known.toLowerCase() === emailAddress.toLowerCase();
    return isSame ? user : undefined;
  };
  const user = find() ?? (await findAfterCatchUp(find, context.catchUp));
  if (user === undefined) {
    const message = 'No user has this user name and e-mail address.';
    throw new Refusal('not_found', 'user.not_found', message);
  }
  requireRecoverable(context, user);
  requireTrustedAddress(context, user);
  await sendLink(context, user, { kind: 'passwordReset', url });
}

/**
 * Throws if the user set the address within the last 24 hours. Otherwise, a stolen session would suffice to take over the
 * account. Administrators can still send a link.
 */
function requireTrustedAddress({ clock, directory }: CommandContext, { id: userId }: RecordState) {
  if (directory.ownAddressChanges.of(userId, clock.now()) === undefined) return;
  const message = 'The user changed the e-mail address within the last 24 hours.';
  throw new Refusal('forbidden', 'password.no_recovery', message);
}

function registerChange(server: FastifyInstance, context: CommandContext): void {
  const { directory, catchUp, clock, logins, secrets } = context;
  const requireRate = createRequireRate(context);

  /** Returns the user of a valid link, and the address that the client requested. */
  function find(requestId: string) {
    const email = directory.emails.passwordRequestByHash(secrets.tokenHash(requestId));
    if (email === undefined || email.userId === null) return undefined;
    const user = directory.record('User', email.userId);
    if (user === undefined || user.deleted) return undefined;
    // A link that was sent to an earlier address no longer opens the account.
    if (email.recipientHash !== recipientHashOf(context, String(user.values['emailAddress'])))
      return undefined;
    const isOpen = isOpenRequest(email, passwordMarkOf(secrets, user), clock.now());
    return isOpen ? { user, url: email.passwordRequest?.url ?? null } : undefined;
  }

  server.post('/api/v1/User/changePasswordByRequest', changeByRequest, async (request, reply) => {
    requireRate(request);
    const body = requireObject(request.body);
    const requestId = requireText(body, 'requestId');
    const password = requireText(body, 'password');
    const byId = () => find(requestId);
    const found = byId() ?? (await findAfterCatchUp(byId, catchUp));
    if (found === undefined) {
      const message = 'The link is invalid, has expired or was used before. Request another one.';
      throw new Refusal('not_found', 'password.request_unknown', message);
    }
    const { user, url } = found;
    requireRecoverable(context, user);
    requirePassword(password);
    const answer = await logins.changeCredentials(user, {
      userId: user.id,
      values: { passwordHash: await hashOneByOne(password) },
      // Of two simultaneous requests with the same link, one is rejected.
      expected: { passwordHash: passwordHashOf(user) ?? null },
    });
    return sendJson(setWriteHeaders(reply, [answer]), { url });
  });
}

function registerByAdministrator(server: FastifyInstance, context: CommandContext): void {
  const { authentication, config, directory, logins } = context;

  async function requireTarget(request: FastifyRequest): Promise<{
    readonly administrator: RecordState;
    readonly target: RecordState;
  }> {
    const { user, actor } = await authentication.identify(request);
    requireAdministrator(actor);
    requireMail(config);
    const targetId = requireText(requireObject(request.body), 'id');
    const target = live(directory.record('User', targetId), targetId);
    requireRecoverable(context, target);
    requireAddress(target);
    return { administrator: user, target };
  }

  server.post('/api/v1/UserSecurity/password/recovery', sendRecovery, async (request, reply) => {
    const { target } = await requireTarget(request);
    const link = { kind: 'invitation', replacesRequest: true } as const;
    const answer = await sendLink(context, target, link);
    return sendJson(setWriteHeaders(reply, [answer]), true);
  });

  server.post('/api/v1/UserSecurity/password/generate', sendPassword, async (request, reply) => {
    const { administrator, target } = await requireTarget(request);
    const password = randomBytes(12).toString('base64url');
    const passwordHash = await hashOneByOne(password);
    // If the process dies before the e-mail is queued, the administrator gets an error and generates another password.
    const changed = await logins.changeCredentials(administrator, {
      userId: target.id,
      values: { passwordHash },
    });
    const queued = await queueEmail(context, {
      kind: 'newPassword',
      user: target,
      write: (texts, values) => texts.newPassword({ ...values, password }),
    });
    return sendJson(setWriteHeaders(reply, [changed, queued]), true);
  });
}

/** Returns a function that limits requests without credentials per address, as failed log-ins are limited. */
function createRequireRate(context: CommandContext): (request: FastifyRequest) => void {
  const limit = createLoginLimit({
    maxFailures: MAX_REQUESTS - 1,
    windowMs: WINDOW_MS,
    now: () => context.clock.now(),
  });
  return (request) => {
    const address = addressOf(request);
    if (limit.isExceeded(address)) {
      throw new Refusal('too_many_requests', 'rate.limited', 'Too many requests.', {
        retryAfterSeconds: WINDOW_MS / 1000,
      });
    }
    limit.recordFailure(address);
  };
}

const tag = 'Logging in';
const password = { ...text, format: 'password' };
const ofMail = ['mail.limited', 'mail.no_address', 'mail.off'] as const;

const requestChange = describeRoute({
  id: 'User_passwordChangeRequest',
  tag,
  summary: 'Request an e-mail with a link for a new password',
  description:
    'Unless the installation reveals its users, the response is true for every user name and address.',
  body: objectOf({ userName: text, emailAddress: text, url: nullableText }, [
    'userName',
    'emailAddress',
  ]),
  answer: { const: true },
  errors: [
    ...always,
    ...ofBody,
    ...ofMail,
    'body.value_missing',
    'mail.already_sent',
    'password.no_recovery',
    'password.url',
    'storage.low',
    'user.not_found',
  ],
  isOpen: 'always',
});

const changeByRequest = describeRoute({
  id: 'User_changePasswordByRequest',
  tag,
  summary: 'Set a new password with the id of a link',
  description: 'All log-ins of the user end, and the link becomes invalid.',
  body: objectOf({ requestId: text, password }),
  answer: objectOf({
    url: { ...nullableText, description: 'The address from the request for the link.' },
  }),
  headers: ['X-Consistency-Token'],
  errors: [
    ...always,
    ...ofBody,
    'body.value_missing',
    'credentials.changed',
    'password.no_recovery',
    'password.request_unknown',
    'password.weak',
    'storage.low',
  ],
  isOpen: 'always',
});

const byAdministrator = {
  tag,
  body: objectOf({ id }),
  answer: { const: true },
  headers: ['X-Consistency-Token'],
  errors: [
    ...withBody,
    ...ofMail,
    'access.admin_only',
    'body.value_missing',
    'password.no_recovery',
    'record.not_found',
  ],
} as const;

const sendRecovery = describeRoute({
  ...byAdministrator,
  id: 'UserSecurity_password_recovery',
  summary: 'Send a user a link for a new password',
  description: 'For administrators. The link is valid for two days and replaces earlier links.',
});

const sendPassword = describeRoute({
  ...byAdministrator,
  id: 'UserSecurity_password_generate',
  summary: 'Send a user a generated password',
  description: 'For administrators. The current password becomes invalid, and all log-ins end.',
});
