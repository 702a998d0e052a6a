import { operation } from './operation.ts';
import { type Part, refer } from './part.ts';

const tag = 'Logging in';
const text = { type: 'string' };
const id = { ...text, minLength: 1 };
const password = { ...text, format: 'password' };
const isDone = { type: 'boolean' };

/** Authentication and the user's own account (docs/reference/authentication.md). */
export const accountPaths: Readonly<Record<string, Part>> = {
  '/App/user': {
    get: operation({
      id: 'App_user',
      tag,
      summary: 'Tell who I am and what I may do',
      description: 'With a password in `Espo-Authorization` this begins a log-in: see `token`.',
      parameters: [
        'Espo-Authorization-By-Token',
        'Espo-Authorization-Code',
        'Espo-Authorization-Create-Token-Secret',
        'X-Consistency-Token',
      ],
      answer: refer('schemas', 'appUser'),
      headers: ['Set-Cookie'],
      errors: 'accountRead',
    }),
  },
  '/App/session': {
    get: operation({
      id: 'App_session',
      tag,
      summary: 'Tell whose session a page has',
      answer: { anyOf: [refer('schemas', 'appUser'), { type: 'null' }] },
      errors: 'account',
    }),
    post: operation({
      id: 'App_session_begin',
      tag,
      summary: 'Begin a session of a page',
      description:
        'With a password in `Espo-Authorization`, for pages that this installation serves: the token is in a cookie that no script reads, and the answer has none.',
      parameters: ['Espo-Authorization-Code'],
      answer: refer('schemas', 'appUser'),
      headers: ['Set-Cookie'],
      errors: 'beginSession',
    }),
    delete: operation({
      id: 'App_session_end',
      tag,
      summary: 'End the session of a page',
      parameters: [
        {
          name: 'everywhere',
          in: 'query',
          description: 'Ends every log-in of the user.',
          schema: { type: 'boolean', default: false },
        },
      ],
      answer: { const: true },
      headers: ['Set-Cookie', 'X-Consistency-Token'],
      errors: 'endSession',
    }),
  },
  '/User/{id}/acl': {
    parameters: [refer('parameters', 'id')],
    get: operation({
      id: 'User_acl',
      tag: 'User',
      summary: 'Tell what a user may do',
      description: 'For the user, and for administrators.',
      parameters: ['X-Consistency-Token'],
      answer: refer('schemas', 'acl'),
      errors: 'userAcl',
    }),
  },
  '/Team/{id}/userPosition': {
    parameters: [refer('parameters', 'id')],
    put: operation({
      id: 'Team_userPosition',
      tag: 'Team',
      summary: 'Set the position of a user in a team',
      description: 'For administrators. It is the column `role` of the link.',
      parameters: ['Idempotency-Key'],
      body: object({ id, position: { type: ['string', 'null'], maxLength: 100 } }, ['id']),
      answer: { const: true },
      headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
      errors: 'userPosition',
    }),
  },
  '/App/destroyAuthToken': {
    post: operation({
      id: 'App_destroyAuthToken',
      tag,
      summary: 'End a log-in',
      body: object({ token: id }, ['token']),
      answer: { ...isDone, description: 'False: there is no such log-in.' },
      headers: ['X-Consistency-Token'],
      errors: 'destroyToken',
    }),
  },
  '/UserSecurity/password': {
    put: operation({
      id: 'UserSecurity_password',
      tag,
      summary: 'Change my password',
      body: object({ password, currentPassword: password }, ['password', 'currentPassword']),
      answer: { const: true },
      headers: ['X-Consistency-Token'],
      errors: 'changePassword',
    }),
  },
  '/UserSecurity/apiKey/generate': {
    post: operation({
      id: 'UserSecurity_apiKey',
      tag,
      summary: 'Give an API user new keys',
      description: 'For administrators. The old keys are dead at once.',
      body: object({ id }, ['id']),
      answer: refer('schemas', 'User'),
      headers: ['X-Consistency-Token'],
      errors: 'generateKey',
    }),
  },
  '/UserSecurity/totp': {
    get: operation({
      id: 'UserSecurity_totp',
      tag,
      summary: 'Tell whether I have a second factor',
      parameters: ['X-Consistency-Token'],
      answer: object({ enabled: { type: 'boolean' } }, ['enabled']),
      errors: 'accountRead',
    }),
    put: operation({
      id: 'UserSecurity_totp_enable',
      tag,
      summary: 'Turn my second factor on',
      body: object({ password, secret: id, code: id }, ['password', 'secret', 'code']),
      answer: { const: true },
      headers: ['X-Consistency-Token'],
      errors: 'changeSecondFactor',
    }),
  },
  '/UserSecurity/totp/generate': {
    post: operation({
      id: 'UserSecurity_totp_generate',
      tag,
      summary: 'Make a secret for a second factor',
      description: 'Nothing is kept: it counts once it is sent back with a code.',
      answer: object({ secret: text, uri: text }, ['secret', 'uri']),
      errors: 'account',
    }),
  },
  '/UserSecurity/totp/disable': {
    post: operation({
      id: 'UserSecurity_totp_disable',
      tag,
      summary: 'Turn a second factor off',
      body: object({ password, id: { ...id, description: 'Of another user.' } }, ['password']),
      answer: { ...isDone, description: 'False: there was none.' },
      headers: ['X-Consistency-Token'],
      errors: 'changeSecondFactor',
    }),
  },
};

function object(properties: Part, required: readonly string[]): Part {
  return { type: 'object', required, properties };
}

const level = { enum: ['yes', 'all', 'team', 'own', 'no'] };

/** The rights of a user: levels of scopes, and closed fields. */
export const aclSchema: Part = {
  type: 'object',
  required: ['table', 'fieldTable', 'fieldTableQuickAccess'],
  properties: {
    table: {
      type: 'object',
      additionalProperties: {
        anyOf: [{ type: 'boolean' }, { type: 'object', additionalProperties: level }],
      },
    },
    fieldTable: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: object(
          { read: { enum: ['yes', 'no'] }, edit: { enum: ['yes', 'no'] } },
          ['read', 'edit'],
        ),
      },
    },
    fieldTableQuickAccess: { type: 'object' },
  },
  patternProperties: { Permission$: level },
};

/** The answer of `GET App/user`. */
export const appUserSchema: Part = {
  type: 'object',
  required: ['user', 'acl', 'preferences', 'token', 'settings', 'language', 'appParams'],
  properties: {
    user: {
      ...object({ id, userName: text, type: text, isAdmin: { type: 'boolean' } }, [
        'id',
        'userName',
        'type',
        'isAdmin',
      ]),
      description: 'The attributes of a User, rights left out.',
    },
    acl: refer('schemas', 'acl'),
    preferences: { type: 'object' },
    token: { type: ['string', 'null'], description: 'Takes the place of the password.' },
    settings: { type: 'object', properties: { version: text } },
    language: text,
    appParams: { type: 'object' },
  },
};
