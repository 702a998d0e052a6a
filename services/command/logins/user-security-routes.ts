import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import { userModelOf } from '../../../shared/domain/directory/user-model-of.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import type { TokenOrigin } from '../../../shared/domain/login/auth-token.ts';
import { requirePassword } from '../../../shared/domain/login/require-password.ts';
import { secondFactorType, toSecondFactor } from '../../../shared/domain/login/second-factor.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { toRecordBody } from '../../../shared/domain/record/to-record-body.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { known, reading, withBody } from '../../../shared/http/describe/error-lists.ts';
import type { AnswerHeader } from '../../../shared/http/describe/headers.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import { count, flag, id, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { passwordHashOf } from '../../../shared/http/login/password-hash-of.ts';
import { isBySession, setSession } from '../../../shared/http/login/session-cookie.ts';
import { requireObject, requireText } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { generateKey } from '../../../shared/secrets/generate-key.ts';
import {
  generateRecoveryCodes,
  normalizeRecoveryCode,
} from '../../../shared/secrets/recovery-codes.ts';
import {
  findTotpStep,
  generateTotpSecret,
  isTotpSecret,
  toTotpUri,
} from '../../../shared/secrets/totp.ts';
import type { CommandContext } from '../context.ts';
import { sealedKey } from '../directory/user-rules.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { sessionOf } from './begin-session.ts';
import { hashOneByOne } from './hash-one-by-one.ts';

const root = '/api/v1/UserSecurity';

/** Registers the routes for users' passwords, keys and second factors (docs/reference/authentication.md). */
export function registerUserSecurityRoutes(server: FastifyInstance, context: CommandContext): void {
  registerPassword(server, context);
  registerKeys(server, context);
  registerSecondFactor(server, context);
}

function registerPassword(server: FastifyInstance, context: CommandContext): void {
  const { authentication, logins } = context;
  server.put(`${root}/password`, changePassword, async (request, reply) => {
    const { user } = await authentication.identify(request);
    const body = requireObject(request.body);
    const password = requireText(body, 'password');
    const currentPassword = requireText(body, 'currentPassword');
    await authentication.confirmPassword(request, user, currentPassword);
    requirePassword(password);
    const isOwnSession = request.impersonation === undefined && isBySession(request);
    const origin = sessionOf(context, request)?.origin ?? undefined;
    const answer = await logins.changeCredentials(user, {
      userId: user.id,
      values: { passwordHash: await hashOneByOne(password) },
      // Requires the password that the user has confirmed, so that one of two concurrent changes is rejected.
      expected: { passwordHash: passwordHashOf(user) ?? null },
    });
    if (isOwnSession) await continueSession(logins, { user: answer.state, origin, request, reply });
    return sendJson(setWriteHeaders(reply, [answer]), true);
  });
}

/** Starts a session under the new password, because the change has invalidated the session in which it was made. */
async function continueSession(
  logins: CommandContext['logins'],
  {
    user,
    origin,
    request,
    reply,
  }: {
    readonly user: RecordState;
    readonly origin: TokenOrigin | undefined;
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  },
): Promise<void> {
  try {
    const userAgent = request.headers['user-agent'];
    const { token } = await logins.issueToken(user, { withSecret: false, userAgent, origin });
    setSession(reply, token);
  } catch (error) {
    // The password has been changed. Without a new session, the user has to sign in again.
    if (!(error instanceof Unavailable)) throw error;
  }
}

function registerKeys(server: FastifyInstance, context: CommandContext): void {
  const { authentication, directory, logins, secrets } = context;
  server.post(`${root}/apiKey/generate`, generateKeys, async (request, reply) => {
    const { user } = await authentication.identify(request);
    requireAdministrator(user);
    const target = requireUser(directory, requireText(requireObject(request.body), 'id'));
    if (target.values['type'] !== 'api') {
      throw new Refusal('forbidden', 'user.not_api', 'Only API users have an API key.');
    }
    const keys = { apiKey: generateKey(), secretKey: generateKey() };
    const isHmac = target.values['authMethod'] === 'Hmac';
    const answer = await logins.changeCredentials(user, {
      userId: target.id,
      values: {
        ...sealedKey(secrets, keys.apiKey),
        ...(isHmac ? { secretKey: secrets.seal(keys.secretKey) } : {}),
      },
    });
    const shown = isHmac ? keys : { apiKey: keys.apiKey };
    const body = { ...toUserBody(directory, answer.state), ...shown };
    return sendJson(setWriteHeaders(reply, [answer]), body);
  });
}

function registerSecondFactor(server: FastifyInstance, context: CommandContext): void {
  const { authentication, directory, logins, secrets, clock } = context;
  const factorOf = ({ id }: RecordState) => toSecondFactor(directory.record(secondFactorType, id));

  server.get(`${root}/totp`, readTotp, async (request) => {
    const { user } = await authentication.identify(request);
    await context.untilConsistent(request.headers);
    const factor = factorOf(user);
    return { enabled: factor !== undefined, recoveryCodes: factor?.recoveryHashes.length ?? 0 };
  });

  /** Stores nothing. The client shows the secret to the user, and sends it back with the first code. */
  server.post(`${root}/totp/generate`, generateTotp, async (request) => {
    const { user } = await authentication.identify(request);
    const secret = generateTotpSecret();
    return { secret, uri: toTotpUri(secret, String(user.values['userName'])) };
  });

  server.put(`${root}/totp`, enableTotp, async (request, reply) => {
    const { user } = await authentication.identify(request);
    const body = requireObject(request.body);
    const password = requireText(body, 'password');
    const secret = requireText(body, 'secret');
    const code = requireText(body, 'code');
    await authentication.confirmPassword(request, user, password);
    const step = isTotpSecret(secret) ? findTotpStep(secret, code, clock.now()) : undefined;
    if (step === undefined) throw new Refusal('forbidden', 'code.wrong', 'Wrong code.');
    const totpSecret = secrets.seal(secret);
    const change = { userId: user.id, totpSecret, step };
    const answer = await logins.changeSecondFactor(user, change);
    return sendJson(setWriteHeaders(reply, [answer]), true);
  });

  /** The log contains only hashes of the codes. The codes themselves are only in this response. */
  server.post(`${root}/totp/recoveryCodes`, replaceCodes, async (request, reply) => {
    const { user } = await authentication.identify(request);
    const password = requireText(requireObject(request.body), 'password');
    await authentication.confirmPassword(request, user, password);
    const codes = generateRecoveryCodes();
    const hashes = codes.map((code) => secrets.tokenHash(normalizeRecoveryCode(code) ?? code));
    const answer = await logins.replaceRecoveryCodes(user, { userId: user.id, hashes });
    return sendJson(setWriteHeaders(reply, [answer]), { codes });
  });

  server.post(`${root}/totp/disable`, disableTotp, async (request, reply) => {
    const { user } = await authentication.identify(request);
    const body = requireObject(request.body);
    const { id = user.id } = body;
    const target = id === user.id ? user : requireUser(directory, requireText(body, 'id'));
    if (target.id !== user.id) requireAdministrator(user);
    const password = requireText(body, 'password');
    await authentication.confirmPassword(request, user, password);
    if (factorOf(target) === undefined) return sendJson(reply, false);
    const change = { userId: target.id, totpSecret: null };
    const answer = await logins.changeSecondFactor(user, change);
    return sendJson(setWriteHeaders(reply, [answer]), true);
  });
}

function requireUser(directory: Directory, id: string): RecordState {
  return live(directory.record('User', id), id);
}

function requireAdministrator({ values }: RecordState): void {
  if (values['type'] === 'admin') return;
  throw new Refusal(
    'forbidden',
    'user.not_administrator',
    'Only administrators may do this for other users.',
  );
}

function toUserBody(directory: Directory, state: RecordState) {
  const model = userModelOf(directory);
  return toRecordBody(model, state, namesIn(directory));
}

const tag = 'Logging in';
const password = { ...text, format: 'password' };
const headers: readonly AnswerHeader[] = ['X-Consistency-Token'];

const changePassword = describeRoute({
  id: 'UserSecurity_password',
  tag,
  summary: 'Change the password of the current user',
  description: 'All log-ins of the user end. A session of a page continues with a new cookie.',
  body: objectOf({ password, currentPassword: password }),
  answer: { const: true },
  headers: ['Set-Cookie', ...headers],
  errors: [
    ...withBody,
    'body.value_missing',
    'credentials.changed',
    'password.weak',
    'password.wrong',
  ],
});

const generateKeys = describeRoute({
  id: 'UserSecurity_apiKey',
  tag,
  summary: 'Replace the keys of an API user',
  description: 'For administrators. The old keys become invalid immediately.',
  body: objectOf({ id }),
  answer: refer('schemas', 'User'),
  headers,
  errors: [...withBody, 'body.value_missing', 'record.not_found', 'user.not_api'],
});

const readTotp = describeRoute({
  id: 'UserSecurity_totp',
  tag,
  summary: 'Read whether the user has a second factor',
  parameters: ['X-Consistency-Token'],
  answer: objectOf({
    enabled: flag,
    recoveryCodes: { ...count, description: 'The number of recovery codes that are left.' },
  }),
  errors: reading,
});

const errorsOfChange = [
  ...withBody,
  'body.value_missing',
  'code.used',
  'code.wrong',
  'password.wrong',
  'record.not_found',
  'second_factor.exists',
] as const;

const enableTotp = describeRoute({
  id: 'UserSecurity_totp_enable',
  tag,
  summary: 'Turn on the second factor of the current user',
  body: objectOf({ password, secret: id, code: id }),
  answer: { const: true },
  headers,
  errors: errorsOfChange,
});

const generateTotp = describeRoute({
  id: 'UserSecurity_totp_generate',
  tag,
  summary: 'Generate a secret for a second factor',
  description: 'The secret is not stored. It takes effect when it is sent back with a code.',
  answer: objectOf({ secret: text, uri: text }),
  errors: known,
});

const replaceCodes = describeRoute({
  id: 'UserSecurity_totp_recoveryCodes',
  tag,
  summary: 'Replace the recovery codes of the current user',
  description:
    'Each code is accepted once in place of a code of the authenticator. Earlier codes become invalid.',
  body: objectOf({ password }),
  answer: objectOf({ codes: { type: 'array', items: text } }),
  headers,
  errors: [...withBody, 'body.value_missing', 'password.wrong', 'second_factor.missing'],
});

const disableTotp = describeRoute({
  id: 'UserSecurity_totp_disable',
  tag,
  summary: 'Turn off a second factor',
  body: objectOf(
    { password, id: { ...id, description: 'The id of another user, for administrators.' } },
    ['password'],
  ),
  answer: { ...flag, description: 'False if the user had no second factor.' },
  headers,
  errors: errorsOfChange,
});
