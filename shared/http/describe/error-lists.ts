import type { ErrorCode } from '../errors/error-codes.ts';

/** Errors that every request can return. */
export const always: readonly ErrorCode[] = [
  'internal.error',
  'path.malformed',
  'path.too_long',
  'rate.limited',
  'request.expectation',
  'request.headers_too_large',
  'request.invalid',
  'request.malformed',
  'request.too_slow',
  'service.unavailable',
];

/** Errors that requests with authentication can return. */
export const known: readonly ErrorCode[] = [
  ...always,
  'code.invalid',
  'code.limited',
  'code.missing',
  'credentials.invalid',
  'credentials.malformed',
  'credentials.missing',
  'login.limited',
  'sign_in.password_off',
  'sign_in.unreachable',
  // With a second factor, the log records that the code was used.
  'storage.low',
  'user.inactive',
  'user.not_administrator',
];

export const reading: readonly ErrorCode[] = [
  ...known,
  'consistency_token.invalid',
  'record.quarantined',
];

/** Errors for unreadable bodies. */
export const ofBody: readonly ErrorCode[] = [
  'body.content_encoding',
  'body.content_length',
  'body.content_type',
  'body.malformed',
  'body.not_an_object',
  'body.number_digits',
  'body.too_deep',
  'body.too_large',
];

export const withBody: readonly ErrorCode[] = [...known, ...ofBody];

/** Errors that every write to the log can return. */
export const written: readonly ErrorCode[] = [
  ...withBody,
  'access.denied',
  'change.too_large',
  'change.unstorable',
  'entity.unknown',
  'idempotency_key.invalid',
  'idempotency_key.reused',
  'if_match.invalid',
  'record.quarantined',
  'version_number.invalid',
];

/** Errors that every request in the search queue can return. */
export const searched: readonly ErrorCode[] = ['list.too_slow', 'search.busy'];

/** Errors that streams and other pages without filters can return. */
export const streamed: readonly ErrorCode[] = [
  ...reading,
  ...searched,
  'list.too_large',
  'parameter.invalid',
  'parameter.unsupported',
];

export const listed: readonly ErrorCode[] = [
  ...streamed,
  'access.denied',
  'entity.unknown',
  'filter.unknown',
  'order.unknown_attribute',
  'where.invalid',
  'where.unknown_attribute',
];

/** Errors that reads of a missing record can return. */
export const missing: readonly ErrorCode[] = [
  'record.deleted',
  'record.merged',
  'record.not_found',
];

/** Errors that requests for one record, or for a job that the user started, can return. */
export const ownWork: readonly ErrorCode[] = [...reading, ...missing, 'access.denied'];

export const read: readonly ErrorCode[] = [
  ...ownWork,
  ...searched,
  'entity.unknown',
  'parameter.invalid',
];

export const givenValues: readonly ErrorCode[] = [
  'assignment.denied',
  'file.misplaced',
  'link.forbidden',
  'link.non_existing',
  'record.invalid',
];
export const changed: readonly ErrorCode[] = [
  ...written,
  ...givenValues,
  'record.modified',
  'record.not_found',
  'record.version_differs',
];
/** Errors that the search of a mass action can return. */
export const selecting: readonly ErrorCode[] = [
  ...searched,
  'filter.unknown',
  'mass_action.body',
  'mass_action.too_many',
  'parameter.invalid',
  'where.invalid',
  'where.unknown_attribute',
];

export const marked: readonly ErrorCode[] = [...written, 'record.not_found', 'stream.none'];

export const ofUsers: readonly ErrorCode[] = ['password.weak', 'user.name_exists', 'user.type'];
export const ofWebhooks: readonly ErrorCode[] = [
  'webhook.entity_forbidden',
  'webhook.field_forbidden',
  'webhook.forbidden',
  'webhook.too_many',
  'webhook.user_not_api',
];
/** Errors that requests for one webhook can return. */
export const ofWebhook: readonly ErrorCode[] = [
  ...ownWork,
  'parameter.invalid',
  'webhook.forbidden',
];
