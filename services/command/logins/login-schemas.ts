import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { known, reading, withBody } from '../../../shared/http/describe/error-lists.ts';
import type { AnswerHeader } from '../../../shared/http/describe/headers.ts';
import { inQuery, type Part, refer } from '../../../shared/http/describe/part.ts';
import { flag, id, objectOf, text } from '../../../shared/http/describe/schemas.ts';

const tag = 'Logging in';
const password = { ...text, format: 'password' };
const headers: readonly AnswerHeader[] = ['X-Consistency-Token'];

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
  settings: { type: 'object', properties: { version: text } },
  language: text,
  appParams: { type: 'object' },
});

export const readAppUser = describeRoute({
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

export const readOwnSession = describeRoute({
  id: 'App_session',
  tag,
  summary: 'Read the user of a page session',
  answer: { anyOf: [refer('schemas', 'appUser'), { type: 'null' }] },
  errors: known,
});

export const beginSession = describeRoute({
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

export const endSession = describeRoute({
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

export function destroyToken(name: string) {
  return describeRoute({
    id: `App_${name}`,
    tag,
    summary: 'End a log-in',
    body: objectOf({ token: id }),
    answer: { ...flag, description: 'False if the log-in does not exist.' },
    headers,
    errors: [...withBody, 'token.missing'],
  });
}

export const changePassword = describeRoute({
  id: 'UserSecurity_password',
  tag,
  summary: 'Change the password of the current user',
  body: objectOf({ password, currentPassword: password }),
  answer: { const: true },
  headers,
  errors: [
    ...withBody,
    'body.value_missing',
    'credentials.changed',
    'password.weak',
    'password.wrong',
  ],
});

export const generateKeys = describeRoute({
  id: 'UserSecurity_apiKey',
  tag,
  summary: 'Replace the keys of an API user',
  description: 'For administrators. The old keys become invalid immediately.',
  body: objectOf({ id }),
  answer: refer('schemas', 'User'),
  headers,
  errors: [...withBody, 'body.value_missing', 'record.not_found', 'user.not_api'],
});

export const readTotp = describeRoute({
  id: 'UserSecurity_totp',
  tag,
  summary: 'Read whether the user has a second factor',
  parameters: ['X-Consistency-Token'],
  answer: objectOf({ enabled: flag }),
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

export const enableTotp = describeRoute({
  id: 'UserSecurity_totp_enable',
  tag,
  summary: 'Turn on the second factor of the current user',
  body: objectOf({ password, secret: id, code: id }),
  answer: { const: true },
  headers,
  errors: errorsOfChange,
});

export const generateTotp = describeRoute({
  id: 'UserSecurity_totp_generate',
  tag,
  summary: 'Generate a secret for a second factor',
  description: 'The secret is not stored. It takes effect when it is sent back with a code.',
  answer: objectOf({ secret: text, uri: text }),
  errors: known,
});

export const disableTotp = describeRoute({
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
