import { Refusal, validationFailure } from '../errors.ts';
import { isStorableJson } from '../field/types/json/read-json-object.ts';
import { isCurrencyCode } from '../field/types/money/derive-currency.ts';
import { printable } from '../printable.ts';
import { type Decision, decideWrite } from '../record/decide.ts';
import type { RecordState } from '../record/record-state.ts';
import { type AttributeValue, type AttributeValues, isObject } from '../value/attribute-values.ts';

/**
 * Entity type of preferences in the directory log. The record id is the user's id, and each preference is an attribute.
 * The type has no definition, so it has neither a table nor record paths.
 */
export const preferencesType = 'UserPreferences';

export const MAX_PREFERENCES_BYTES = 64 * 1024;
const MAX_DEPTH = 16;

/** Names that clients send back from responses or that events use. Their values are ignored. */
const ignoredNames: ReadonlySet<string> = new Set([
  'id',
  'name',
  'isPortalUser',
  'deleted',
  'createdAt',
  'createdById',
  'modifiedAt',
  'modifiedById',
  'assignedUserId',
  'teamsIds',
  'versionNumber',
]);

const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;

/** A preference that clients expect in every response. */
interface KnownPreference {
  readonly default: AttributeValue;
  readonly isValid: (value: AttributeValue) => boolean;
  /** Completes the sentence "weekStart must be …". */
  readonly form: string;
}

function known(
  defaultValue: AttributeValue,
  form: string,
  isValid: KnownPreference['isValid'],
): KnownPreference {
  return { default: defaultValue, form, isValid };
}

/** An empty text means the value in the settings. */
function matching(pattern: RegExp, form: string): KnownPreference {
  const isValid = (value: AttributeValue) =>
    value === '' || (typeof value === 'string' && pattern.test(value));
  return known('', form, isValid);
}

function character(defaultValue: string): KnownPreference {
  return known(
    defaultValue,
    'at most one character',
    (value) => typeof value === 'string' && value.length <= 1,
  );
}

function flag(defaultValue: boolean): KnownPreference {
  return known(defaultValue, 'true or false', (value) => typeof value === 'boolean');
}

const names = known(
  [],
  'a list of names',
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
);
const list = known([], 'a list', Array.isArray);
const map = known({}, 'a JSON object', isObject);

/** The dashboard, for clients that have one. Annals only stores it. */
const dashboard: AttributeValue = [
  {
    name: 'My dashboard',
    layout: [
      { id: 'default-activities', name: 'Activities', x: 2, y: 2, width: 2, height: 4 },
      { id: 'default-stream', name: 'Stream', x: 0, y: 0, width: 2, height: 4 },
    ],
  },
];

const knownPreferences: Readonly<Record<string, KnownPreference>> = {
  timeZone: known('', 'a time zone such as Europe/Berlin', isTimeZone),
  dateFormat: matching(
    /^(?:YYYY|MM?|DD?)(?:[-./ ]{1,2}(?:YYYY|MM?|DD?)){2}$/,
    'a date format such as DD.MM.YYYY',
  ),
  timeFormat: matching(/^(?:HH?|hh?)[:.]mm(?: ?[aA])?$/, 'a time format such as HH:mm'),
  language: matching(/^[a-z]{2,3}(?:[-_][A-Z]{2})?$/, 'a language such as en_US'),
  defaultCurrency: known(
    '',
    'a currency code such as EUR',
    (value) => value === '' || (typeof value === 'string' && isCurrencyCode(value)),
  ),
  theme: matching(/^.{1,100}$/, 'a text with at most 100 characters'),
  weekStart: known(
    -1,
    'a day from 0 (Sunday) to 6, or -1',
    (value) => Number.isInteger(value) && Number(value) >= -1 && Number(value) <= 6,
  ),
  thousandSeparator: character(','),
  decimalMark: character('.'),
  exportDelimiter: character(','),
  dashboardLayout: { ...list, default: dashboard },
  dashletsOptions: map,
  dashboardLocked: flag(false),
  receiveAssignmentEmailNotifications: flag(true),
  receiveMentionEmailNotifications: flag(true),
  receiveStreamEmailNotifications: flag(true),
  receiveFindingEmails: flag(false),
  assignmentNotificationsIgnoreEntityTypeList: names,
  assignmentEmailNotificationsIgnoreEntityTypeList: names,
  notificationGrouping: flag(true),
  reactionNotifications: flag(true),
  reactionNotificationsNotFollowed: flag(false),
  notificationSound: flag(true),
  autoFollowEntityTypeList: names,
  followCreatedEntities: flag(false),
  followCreatedEntityTypeList: names,
  followEntityOnStreamPost: flag(true),
  followAsCollaborator: flag(true),
  doNotFillAssignedUserIfNotRequired: flag(true),
  emailReplyToAllByDefault: flag(true),
  emailReplyForceHtml: flag(true),
  defaultReminders: list,
  defaultRemindersTask: list,
  useCustomTabList: flag(false),
  addCustomTabs: flag(false),
};

export const dashboardPreferences = ['dashboardLayout', 'dashletsOptions'] as const;

/** The user's preferences as clients read them: stored values, and the defaults of the known preferences. */
export function toPreferences(
  user: RecordState,
  stored: RecordState | undefined,
): Readonly<Record<string, AttributeValue>> {
  const defaults = Object.entries(knownPreferences).map(
    ([name, preference]) => [name, preference.default] as const,
  );
  return {
    id: user.id,
    name: String(user.values['name'] ?? user.values['userName'] ?? ''),
    isPortalUser: false,
    ...Object.fromEntries(defaults),
    ...storedPreferences(stored),
  };
}

/** Returns one preference as it applies to a user; null for an unknown name without a stored value. */
export function preferenceOf(stored: RecordState | undefined, name: string): AttributeValue {
  return storedPreferences(stored)[name] ?? knownPreferences[name]?.default ?? null;
}

function storedPreferences(state: RecordState | undefined): AttributeValues {
  const entries = Object.entries(state?.values ?? {});
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== null && !ignoredNames.has(name)),
  );
}

/** Reads preferences from a request. Null resets a preference. Throws on the first invalid one. */
export function readPreferences(body: Readonly<Record<string, unknown>>): AttributeValues {
  const read = Object.entries(body).filter(([name]) => !ignoredNames.has(name));
  return Object.fromEntries(read.map(([name, value]) => [name, readPreference(name, value)]));
}

function readPreference(name: string, value: unknown): AttributeValue {
  // If the preference is not set, a name such as `constructor` would be read from the object's prototype.
  if (!namePattern.test(name) || name in {}) {
    throw invalid(
      printable(name),
      'is not the name of a preference: use up to 100 letters and digits.',
    );
  }
  if (value === null) return null;
  if (!isStorableJson(value, MAX_DEPTH)) {
    const limits = `at most ${MAX_DEPTH} levels and without __proto__, NUL or unpaired surrogates`;
    throw invalid(name, `must be JSON with ${limits}.`);
  }
  const rule = knownPreferences[name];
  if (rule === undefined || rule.isValid(value)) return value;
  throw invalid(name, `must be ${rule.form}.`);
}

/** Returns the changes that reset all stored preferences. */
export function resetAll(stored: RecordState | undefined): AttributeValues {
  return Object.fromEntries(Object.keys(storedPreferences(stored)).map((name) => [name, null]));
}

/** Decides a change. Other preferences stay unchanged. Rejects the change if the result would exceed the limit. */
export function decidePreferences(
  state: RecordState | undefined,
  changes: AttributeValues,
): Decision | undefined {
  const next = { ...storedPreferences(state), ...changes };
  const kept = Object.entries(next).filter(([, value]) => value !== null);
  if (Buffer.byteLength(JSON.stringify(Object.fromEntries(kept))) > MAX_PREFERENCES_BYTES) {
    throw new Refusal(
      'too_large',
      'preferences.too_large',
      `The preferences of a user can be at most ${MAX_PREFERENCES_BYTES} bytes of JSON. To remove a preference, set it to null.`,
    );
  }
  return decideWrite(state, changes);
}

function isTimeZone(value: AttributeValue): boolean {
  if (typeof value !== 'string') return false;
  if (value === '') return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function invalid(field: string, requirement: string): Refusal {
  const message = `${field} ${requirement}`;
  return validationFailure('Preferences', [{ field, type: 'valid', message }]);
}
