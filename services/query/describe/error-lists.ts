import type { ErrorCode } from '../../../shared/http/error-codes.ts';

/** Errors of every request. */
export const always: readonly ErrorCode[] = [
  'internal.error',
  'path.malformed',
  'path.too_long',
  'rate.limited',
  'request.headers_too_large',
  'request.invalid',
  'request.malformed',
  'request.too_slow',
  'service.unavailable',
];

/** Errors of requests that need authentication. */
export const known: readonly ErrorCode[] = [
  ...always,
  'code.invalid',
  'code.limited',
  'code.missing',
  'credentials.invalid',
  'credentials.malformed',
  'credentials.missing',
  'login.limited',
  // With a second factor, the use of the code is written to the log.
  'storage.low',
  'user.inactive',
  'user.not_administrator',
];

export const withBody: readonly ErrorCode[] = [
  ...known,
  'body.content_encoding',
  'body.content_length',
  'body.content_type',
  'body.malformed',
  'body.not_an_object',
  'body.too_deep',
  'body.too_large',
];

/** Errors of everything that writes to the log. */
export const written: readonly ErrorCode[] = [
  ...withBody,
  'access.denied',
  'change.too_large',
  'entity.unknown',
  'idempotency_key.invalid',
  'idempotency_key.reused',
  'if_match.invalid',
  'version_number.invalid',
];

/** Errors of everything that waits for its turn among searches. */
export const searched: readonly ErrorCode[] = ['list.too_slow', 'search.busy'];

export const listed: readonly ErrorCode[] = [
  ...known,
  'access.denied',
  'consistency_token.invalid',
  'entity.unknown',
  'filter.unknown',
  ...searched,
  'list.too_large',
  'order.unknown_attribute',
  'parameter.invalid',
  'parameter.unsupported',
  'where.invalid',
  'where.unknown_attribute',
];

export const read: readonly ErrorCode[] = [
  ...known,
  ...searched,
  'access.denied',
  'consistency_token.invalid',
  'entity.unknown',
  'parameter.invalid',
  'record.not_found',
];

export const layout: readonly ErrorCode[] = [
  ...known,
  'access.denied',
  'consistency_token.invalid',
  'entity.unknown',
  'layout.unknown',
];

export const values: readonly ErrorCode[] = [
  'assignment.denied',
  'file.misplaced',
  'link.forbidden',
  'link.non_existing',
  'record.invalid',
];
export const create: readonly ErrorCode[] = [
  ...written,
  ...values,
  'link.already_linked',
  'link.ids',
  'link.no_access',
  'link.several',
  'record.duplicate',
  'record.exists',
];
export const update: readonly ErrorCode[] = [
  ...written,
  ...values,
  'record.modified',
  'record.not_found',
  'record.version_differs',
];
export const remove: readonly ErrorCode[] = [
  ...written,
  'record.not_found',
  'record.version_differs',
];
export const link: readonly ErrorCode[] = [
  ...written,
  'link.forbidden',
  'link.ids',
  'link.mass',
  'link.no_access',
  'link.non_existing',
  'link.to_one',
  'link.unknown',
  'record.invalid',
  'record.not_found',
  'record.version_differs',
];

/** Errors of the search in an action over many records. */
export const selecting: readonly ErrorCode[] = [
  ...searched,
  'filter.unknown',
  'mass_action.body',
  'mass_action.too_many',
  'parameter.invalid',
  'where.invalid',
  'where.unknown_attribute',
];

export const massActionStatus: readonly ErrorCode[] = [
  ...known,
  'access.denied',
  'consistency_token.invalid',
  'record.not_found',
];

export const streamed: readonly ErrorCode[] = [
  ...known,
  ...searched,
  'consistency_token.invalid',
  'list.too_large',
  'parameter.invalid',
  'parameter.unsupported',
];
export const marked: readonly ErrorCode[] = [...written, 'record.not_found', 'stream.none'];

export const merge: readonly ErrorCode[] = [
  ...update,
  'merge.body',
  'merge.not_allowed',
  'merge.under_way',
];

export const user: readonly ErrorCode[] = ['password.weak', 'user.name_exists', 'user.type'];
export const webhook: readonly ErrorCode[] = [
  'webhook.entity_forbidden',
  'webhook.field_forbidden',
  'webhook.forbidden',
  'webhook.too_many',
  'webhook.user_not_api',
];
/** Errors of requests about one webhook. */
export const ofWebhook: readonly ErrorCode[] = [
  ...known,
  'access.denied',
  'consistency_token.invalid',
  'parameter.invalid',
  'record.not_found',
  'webhook.forbidden',
];
export const definition: readonly ErrorCode[] = [...written, 'access.admin_only', 'field.invalid'];

/** Errors of actions on a record that the body names. */
export const named: readonly ErrorCode[] = [
  'action.unknown',
  'body.value_missing',
  'entity.unknown',
];

export const restore: readonly ErrorCode[] = [
  ...remove,
  ...named,
  'access.admin_only',
  'record.not_deleted',
];
