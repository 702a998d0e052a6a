import type { MessageKey } from '../messages/en.ts';
import type { Translate } from './translate.ts';

/** A failed validation, as the API describes it (docs/reference/errors.md). */
export interface Problem {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** In English, with the name of the attribute. */
  readonly message: string;
}

const textsByType: Readonly<Record<string, MessageKey>> = {
  required: 'problems.required',
  maxLength: 'problems.maxLength',
  maxItemLength: 'problems.maxItemLength',
  maxCount: 'problems.maxCount',
  min: 'problems.min',
  max: 'problems.max',
  rangeInternal: 'problems.range',
  inPermittedRange: 'problems.range',
  validCurrency: 'problems.validCurrency',
  emailAddress: 'problems.emailAddress',
  pattern: 'problems.pattern',
  array: 'problems.list',
  arrayOfString: 'problems.list',
  noEmptyString: 'problems.noEmptyString',
  columnsValid: 'problems.columnsValid',
  rowSize: 'problems.rowSize',
  closed: 'problems.closed',
  unknown: 'problems.unknown',
  notInternal: 'problems.notInternal',
  entityType: 'problems.entityType',
  field: 'problems.field',
};

/** Texts for problems of type `valid`, by the required form of the value. */
const textsByForm: Readonly<Record<string, MessageKey>> = {
  text: 'problems.text',
  storable: 'problems.storable',
  integer: 'problems.integer',
  number: 'problems.number',
  boolean: 'problems.boolean',
  date: 'problems.date',
  dateTime: 'problems.dateTime',
  url: 'problems.url',
  webUrl: 'problems.webUrl',
  phoneNumber: 'problems.phoneNumber',
  option: 'problems.option',
  list: 'problems.list',
  ids: 'problems.ids',
  parent: 'problems.parent',
  jsonObject: 'problems.jsonObject',
  jsonList: 'problems.jsonList',
  header: 'problems.header',
};

/** Returns the text of a problem with the label of its field; the message of the API if no text describes the problem. */
export function problemText(
  { type, parameters = {}, message }: Problem,
  label: string,
  t: Translate<MessageKey>,
): string {
  const key = type === 'valid' ? textsByForm[String(parameters['form'])] : textsByType[type];
  return key === undefined ? message : t(key, { ...parameters, label });
}

/** Texts for errors that users encounter, by error code. */
const textsByCode: Readonly<Record<string, MessageKey>> = {
  'access.denied': 'errors.access.denied',
  'access.admin_only': 'errors.access.admin_only',
  'assignment.denied': 'errors.assignment.denied',
  'record.not_found': 'errors.record.not_found',
  'finding.not_found': 'errors.finding.not_found',
  'trace.not_found': 'errors.trace.not_found',
  'link.forbidden': 'errors.link.forbidden',
  'link.non_existing': 'errors.link.non_existing',
  'mail.already_sent': 'errors.mail.already_sent',
  'mail.limited': 'errors.mail.limited',
  'mail.no_address': 'errors.mail.no_address',
  'password.request_unknown': 'errors.password.request_unknown',
  'password.weak': 'errors.password.weak',
  'password.wrong': 'errors.password.wrong',
  'code.wrong': 'errors.code.wrong',
  'code.used': 'errors.code.used',
  'second_factor.exists': 'errors.second_factor.exists',
  'second_factor.missing': 'errors.second_factor.missing',
  'login.limited': 'errors.login.limited',
  'user.not_found': 'errors.user.not_found',
  'user.name_exists': 'errors.user.name_exists',
  'export.denied': 'errors.export.denied',
  'mass_action.denied': 'errors.mass_action.denied',
  'calendar.too_many': 'errors.calendar.too_many',
  'search.busy': 'errors.search.busy',
  'list.too_slow': 'errors.list.too_slow',
  'rate.limited': 'errors.rate.limited',
  'storage.low': 'errors.storage.low',
  'service.unavailable': 'errors.service.unavailable',
};

/** Returns the text for an error code; undefined if the message of the API describes the error. */
export function codeText(code: string, t: Translate<MessageKey>): string | undefined {
  const key = textsByCode[code];
  return key === undefined ? undefined : t(key);
}
