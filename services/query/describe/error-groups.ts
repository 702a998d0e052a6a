import type { ErrorCode } from '../../../shared/http/error-codes.ts';

/** May happen to every request. */
const always: readonly ErrorCode[] = [
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

/** To everybody who has to say who they are. */
const known: readonly ErrorCode[] = [
  ...always,
  'code.invalid',
  'code.limited',
  'code.missing',
  'credentials.invalid',
  'credentials.malformed',
  'credentials.missing',
  'login.limited',
  'user.inactive',
  'user.not_administrator',
];

const withBody: readonly ErrorCode[] = [
  ...known,
  'body.content_encoding',
  'body.content_length',
  'body.content_type',
  'body.malformed',
  'body.not_an_object',
  'body.too_deep',
  'body.too_large',
];

/** To whatever ends in the log. */
const written: readonly ErrorCode[] = [
  ...withBody,
  'access.denied',
  'change.too_large',
  'entity.unknown',
  'idempotency_key.invalid',
  'idempotency_key.reused',
  'if_match.invalid',
  'version_number.invalid',
];

const listed: readonly ErrorCode[] = [
  ...known,
  'access.denied',
  'consistency_token.invalid',
  'entity.unknown',
  'filter.unknown',
  'list.too_large',
  'list.too_slow',
  'order.unknown_attribute',
  'parameter.invalid',
  'parameter.unsupported',
  'where.invalid',
  'where.unknown_attribute',
];

const read: readonly ErrorCode[] = [
  ...known,
  'access.denied',
  'consistency_token.invalid',
  'entity.unknown',
  'parameter.invalid',
  'record.not_found',
];

const layout: readonly ErrorCode[] = [
  ...known,
  'access.denied',
  'consistency_token.invalid',
  'entity.unknown',
  'layout.unknown',
];

const values: readonly ErrorCode[] = [
  'assignment.denied',
  'file.misplaced',
  'link.forbidden',
  'link.non_existing',
  'record.invalid',
];
const create: readonly ErrorCode[] = [
  ...written,
  ...values,
  'link.already_linked',
  'link.ids',
  'link.no_access',
  'link.several',
  'record.duplicate',
  'record.exists',
];
const update: readonly ErrorCode[] = [
  ...written,
  ...values,
  'record.modified',
  'record.not_found',
  'record.version_differs',
];
const remove: readonly ErrorCode[] = [...written, 'record.not_found', 'record.version_differs'];
const link: readonly ErrorCode[] = [
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

/** What the search of an action over many records may be refused for. */
const settled: readonly ErrorCode[] = [
  'filter.unknown',
  'list.too_slow',
  'mass_action.body',
  'mass_action.too_many',
  'parameter.invalid',
  'where.invalid',
  'where.unknown_attribute',
];

const streamed: readonly ErrorCode[] = [
  ...known,
  'consistency_token.invalid',
  'list.too_large',
  'parameter.invalid',
  'parameter.unsupported',
];
const marked: readonly ErrorCode[] = [...written, 'record.not_found', 'stream.none'];

const merge: readonly ErrorCode[] = [
  ...update,
  'merge.body',
  'merge.not_allowed',
  'merge.under_way',
];

const user: readonly ErrorCode[] = ['password.weak', 'user.name_exists', 'user.type'];
const webhook: readonly ErrorCode[] = [
  'webhook.entity_forbidden',
  'webhook.field_forbidden',
  'webhook.forbidden',
  'webhook.too_many',
  'webhook.user_not_api',
];
/** To everything about one webhook. */
const ofWebhook: readonly ErrorCode[] = [
  ...known,
  'access.denied',
  'consistency_token.invalid',
  'parameter.invalid',
  'record.not_found',
  'webhook.forbidden',
];
const definition: readonly ErrorCode[] = [...written, 'access.admin_only', 'field.invalid'];

/** To actions with a record that the body names. */
const named: readonly ErrorCode[] = ['action.unknown', 'body.value_missing', 'entity.unknown'];

/** Which errors may happen to which kind of operation. */
export const errorGroups = {
  open: always,
  account: known,
  accountRead: [...known, 'consistency_token.invalid'],
  userAcl: [...known, 'access.denied', 'consistency_token.invalid', 'record.not_found'],
  userPosition: [
    ...written,
    'access.admin_only',
    'body.value_missing',
    'record.invalid',
    'record.not_found',
  ],
  openApi: [...known, 'access.denied', 'consistency_token.invalid', 'parameter.invalid'],
  asyncApi: [...known, 'access.denied'],
  list: listed,
  listWebhook: [...listed, 'webhook.forbidden'],
  layout,
  layoutWebhook: [...layout, 'webhook.forbidden'],
  linked: [...listed, 'link.unknown', 'record.not_found'],
  read,
  readWebhook: [...read, 'webhook.forbidden'],
  history: [...read, 'list.too_large', 'parameter.unsupported'],
  create,
  createUser: [...create, ...user],
  createRole: [...create, 'role.invalid'],
  createNote: [...create, 'note.type', 'stream.none'],
  createAttachment: [
    ...written,
    'file.invalid',
    'file.too_large',
    'file.type',
    'record.exists',
    'record.invalid',
  ],
  createWebhook: [...create, ...webhook],
  update,
  updateUser: [...update, ...user],
  updateRole: [...update, 'role.invalid'],
  updateWebhook: [...update, ...webhook, 'webhook.event_fixed'],
  remove,
  removeUser: [...remove, 'user.own'],
  removeWebhook: [...remove, 'webhook.forbidden'],
  link: [...link, ...settled, 'link.already_linked'],
  unlink: [...link, 'link.required'],
  convert: [
    ...written,
    ...values,
    'lead.id',
    'lead.records',
    'record.duplicate',
    'record.not_found',
    'record.version_differs',
  ],
  activities: [
    ...streamed,
    'access.denied',
    'activities.none',
    'entity.unknown',
    'list.too_slow',
    'record.not_found',
  ],
  calendar: [
    ...known,
    'access.denied',
    'calendar.too_many',
    'consistency_token.invalid',
    'list.too_slow',
    'parameter.invalid',
    'parameter.unsupported',
    'record.not_found',
  ],
  currencyRates: [...known, 'access.denied', 'consistency_token.invalid'],
  setCurrencyRates: [...written, 'record.invalid'],
  upcoming: [...streamed, 'access.denied', 'list.too_slow'],
  streamAttachments: [...listed, 'record.not_found', 'stream.none'],
  usersAccess: [...streamed, 'access.denied', 'entity.unknown', 'record.not_found'],
  ownStream: streamed,
  globalStream: [...streamed, 'access.denied'],
  stream: [...streamed, 'access.denied', 'entity.unknown', 'record.not_found', 'stream.none'],
  follow: marked,
  pin: [...marked, 'note.too_many_pins'],
  react: [...marked, 'note.reaction'],
  star: [...marked, 'star.too_many'],
  followers: [...marked, 'follower.denied', 'follower.no_access', 'link.ids'],
  restore: [...remove, ...named, 'access.admin_only', 'record.not_deleted'],
  duplicateAttributes: [...withBody, ...named, 'access.denied', 'record.not_found'],
  convertAttributes: [...withBody, 'access.denied', 'lead.id', 'record.not_found'],
  massAction: [
    ...written,
    ...settled,
    'action.unknown',
    'mass_action.data',
    'mass_action.denied',
    'mass_action.not_allowed',
  ],
  export: [
    ...withBody,
    'access.denied',
    'consistency_token.invalid',
    'entity.unknown',
    'export.denied',
    'export.invalid',
    'export.not_allowed',
    'export.too_many',
    'filter.unknown',
    'idempotency_key.invalid',
    'idempotency_key.reused',
    'list.too_slow',
    'order.unknown_attribute',
    'parameter.invalid',
    'where.invalid',
    'where.unknown_attribute',
  ],
  massActionStatus: [...known, 'access.denied', 'consistency_token.invalid', 'record.not_found'],
  merge,
  recordAction: [...merge, 'action.unknown', 'mass_action.data', 'mass_action.not_allowed'],
  globalSearch: [
    ...known,
    'consistency_token.invalid',
    'list.too_large',
    'list.too_slow',
    'parameter.invalid',
    'parameter.unsupported',
    'where.invalid',
  ],
  runQueue: [...written, 'action.unknown', 'webhook.run_forbidden'],
  webhook: ofWebhook,
  deliveries: [...ofWebhook, 'list.too_large', 'parameter.unsupported'],
  delivery: [...ofWebhook, 'webhook.delivery_not_found'],
  redeliver: [
    ...ofWebhook,
    ...withBody,
    'webhook.delivery_not_found',
    'webhook.redelivery_invalid',
  ],
  startReplay: [...ofWebhook, ...withBody, 'webhook.replay_invalid'],
  replay: [...ofWebhook, 'webhook.replay_not_found'],
  administer: [...withBody, 'access.admin_only'],
  defineEntity: [...definition, 'entity.name'],
  defineField: [...definition, 'field.exists', 'field.name_reserved', 'field.unknown'],
  readField: [...known, 'access.admin_only', 'consistency_token.invalid', 'field.unknown'],
  destroyToken: [...withBody, 'token.missing'],
  changePassword: [
    ...withBody,
    'body.value_missing',
    'credentials.changed',
    'password.weak',
    'password.wrong',
  ],
  generateKey: [...withBody, 'body.value_missing', 'record.not_found', 'user.not_api'],
  changeSecondFactor: [
    ...withBody,
    'body.value_missing',
    'code.used',
    'code.wrong',
    'password.wrong',
    'record.not_found',
    'second_factor.exists',
  ],
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;

export type ErrorGroup = keyof typeof errorGroups;

/** Those of this action with this entity type, if it has some of its own. */
export function errorGroupOf(
  action: 'list' | 'layout' | 'read' | 'create' | 'update' | 'remove',
  entityType: string,
): ErrorGroup {
  const own = `${action}${entityType}`;
  return isErrorGroup(own) ? own : action;
}

function isErrorGroup(name: string): name is ErrorGroup {
  return Object.hasOwn(errorGroups, name);
}
