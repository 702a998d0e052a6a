import type {
  AttributeValue,
  AttributeValues,
} from '../../shared/domain/value/attribute-values.ts';
import type { TextMode } from '../../shared/search/where/where-context.ts';
import { holdsDate } from './date-evaluation.ts';
import type { StoredRecord } from './where-records.ts';

export interface TestedCondition {
  readonly type: string;
  readonly attribute?: string;
  readonly value?: unknown;
  readonly timeZone?: string;
}

interface World {
  readonly accounts: readonly StoredRecord[];
  readonly users: readonly StoredRecord[];
  readonly teams: readonly StoredRecord[];
  readonly now: Date;
  readonly textMode: TextMode;
}

const flags = new Set(['flag', 'emailAddressIsOptedOut', 'isLocked']);
const lists = new Set(['tags', 'steps', 'words', 'sites', 'accountsIds', 'teamsIds']);
const addressed = new Set(['emailAddress', 'phoneNumber']);

/** A second implementation of conditions without SQL: slow, and by a different method where possible. */
export function holds(world: World, record: StoredRecord, condition: TestedCondition): boolean {
  const { type, value, attribute = '' } = condition;
  const all = (value ?? []) as readonly TestedCondition[];
  if (type === 'and') return all.every((one) => holds(world, record, one));
  if (type === 'or') return all.length === 0 || all.some((one) => holds(world, record, one));
  if (type === 'textFilter') return holdsText(record, String(value), world.textMode);
  if (type === 'isUserFromTeams') return holdsTeam(world, record, value);
  if (type.startsWith('column')) return holdsColumn(world, record, condition);
  const [link = '', name] = path(attribute).split('.');
  if (name === undefined) return holdsOwn(world, record, condition);
  // Names of deleted linked records remain visible.
  const linked = linkedAccounts(world, record, link).filter(
    ({ deleted }) => deleted !== true || path(attribute) !== attribute,
  );
  const isAbsence = type === 'isNull' || (type === 'equals' && value === null);
  if (linked.length === 0) return isAbsence;
  return linked.some((one) => holdsOwn(world, one, { ...condition, attribute: name }));
}

/** True if a user of a live team is assigned. */
function holdsTeam({ users, teams }: World, record: StoredRecord, value: unknown): boolean {
  const wanted = toTexts(value).filter((id) =>
    teams.some((team) => team.id === id && team['deleted'] !== true),
  );
  const user = users.find(({ id }) => id === record['assignedUserId']);
  if (user === undefined || user['deleted'] === true) return false;
  return wanted.some((id) => idsOf(user, 'teams').includes(id));
}

/** True if a link to an account matches; a record without links counts as a missing value. */
function holdsColumn(
  world: World,
  record: StoredRecord,
  { type: columnType, attribute, value }: TestedCondition,
): boolean {
  const type = columnType.replace(/^column(.)/, (_, first: string) => first.toLowerCase());
  const ids = idsOf(record, 'accounts');
  if (ids.length === 0) return type === 'isNull' || (type === 'equals' && value === null);
  const columns: AttributeValues = Object(record['accountsColumns'] ?? {});
  return ids.some((id) => {
    const row: AttributeValues = Object(columns[id] ?? {});
    const isFlag = attribute === 'accountIsOff';
    const own = isFlag ? row['isOff'] === true : (row['role'] ?? null);
    const found = { value: own, any: own === null ? [] : [own], folded: false };
    return holdsValue(world, { type, attribute: 'column', value }, found);
  });
}

/** Converts `accountName` to `account.name`. */
function path(attribute: string): string {
  return attribute.replace(
    /^(account|twin)(Name|Type)$/,
    (_, link, end) => `${link}.${end.toLowerCase()}`,
  );
}

function linkedAccounts({ accounts }: World, record: StoredRecord, link: string) {
  const ids = idsOf(record, link);
  return accounts.filter(({ id }) => ids.includes(id));
}

function idsOf(record: StoredRecord, link: string): readonly string[] {
  return [record[`${link}Id`] ?? record[`${link}Ids`] ?? []].flat().map(String);
}

function holdsOwn(world: World, record: StoredRecord, condition: TestedCondition): boolean {
  const { type, attribute = '' } = condition;
  if (/linked/i.test(type)) return holdsLink(record, condition);
  return holdsValue(world, condition, valuesOf(record, attribute));
}

interface Found {
  /** Null without a value. */
  readonly value: AttributeValue;
  /** All values that may match, such as several addresses. */
  readonly any: readonly AttributeValue[];
  readonly folded: boolean;
}

function valuesOf(record: StoredRecord, name: string): Found {
  const stored = record[name] ?? null;
  if (flags.has(name)) return { value: stored === true, any: [stored === true], folded: false };
  if (addressed.has(name)) {
    const entries = (record[`${name}Data`] ?? []) as readonly Record<string, string>[];
    return { value: stored, any: entries.map((entry) => entry[name] ?? null), folded: true };
  }
  return { value: stored, any: stored === null ? [] : [stored], folded: false };
}

type Test = (value: AttributeValue) => boolean;

function holdsValue(world: World, condition: TestedCondition, found: Found): boolean {
  const { type, attribute = '' } = condition;
  const wanted = toMoments(condition.value, found.value, condition.timeZone);
  if (lists.has(attribute)) return holdsList(type, (found.value ?? []) as string[], wanted);
  const fold = (one: unknown) => (found.folded ? String(one).toLowerCase() : one);
  const any = (test: Test) => found.any.some(test);
  const none = (test: Test) => found.value !== null && !any(test);
  const text = (toPattern: (text: string) => string): Test => {
    const pattern = likeToRegExp(toPattern(String(wanted)));
    return (one) => pattern.test(String(one));
  };
  switch (type) {
    case 'equals':
      return wanted === null ? found.value === null : any((one) => fold(one) === fold(wanted));
    case 'notEquals':
      return wanted === null ? found.value !== null : none((one) => fold(one) === fold(wanted));
    case 'in':
      return any((one) => (wanted as unknown[]).map(fold).includes(fold(one)));
    case 'notIn':
      if ((wanted as unknown[]).length === 0) return true;
      return none((one) => (wanted as unknown[]).map(fold).includes(fold(one)));
    case 'isNull':
      return found.value === null;
    case 'isNotNull':
    case 'ever':
      return found.value !== null;
    case 'any':
      return true;
    case 'none':
      return false;
    case 'isTrue':
      return found.value === true;
    case 'isFalse':
      return found.value === false;
    case 'contains':
      return any(text((one) => `%${escaped(one)}%`));
    case 'notContains':
      return none(text((one) => `%${escaped(one)}%`));
    case 'startsWith':
      return any(text((one) => `${escaped(one)}%`));
    case 'endsWith':
      return any(text((one) => `%${escaped(one)}`));
    case 'like':
      return any(text(withoutEscapes));
    case 'notLike':
      return none(text(withoutEscapes));
    default:
      return found.value !== null && holdsOrdered(world, condition, found.value);
  }
}

/**
 * A date compared with times means its midnight. Local times are converted by search: the first match counts.
 */
function toMoments(wanted: unknown, value: AttributeValue, timeZone = 'UTC'): unknown {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:/.test(value);
  if (!isTime) return wanted;
  const toMoment = (one: unknown) => {
    const text = String(one);
    if (!/^\d{4}-\d\d-\d\d/.test(text)) return one;
    return inUtc(text.length === 10 ? `${text} 00:00:00` : text, timeZone);
  };
  return Array.isArray(wanted) ? wanted.map(toMoment) : toMoment(wanted);
}

function inUtc(local: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const at = Date.parse(`${local.replace(' ', 'T')}Z`);
  for (let minutes = -14 * 60; minutes <= 14 * 60; minutes += 15) {
    const utcMs = at + minutes * 60_000;
    if (format.format(utcMs) !== local) continue;
    return new Date(utcMs).toISOString().slice(0, 19).replace('T', ' ');
  }
  throw new Error(`${timeZone} never shows ${local}`);
}

function holdsOrdered({ now }: World, condition: TestedCondition, value: AttributeValue): boolean {
  const { type, value: wanted, timeZone = 'UTC' } = condition;
  const isDate = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
  const bound = toMoments(wanted, value, timeZone);
  const less = (a: unknown, b: unknown) => (a as number) < (b as number);
  switch (type) {
    case 'greaterThan':
      return less(bound, value);
    case 'lessThan':
      return less(value, bound);
    case 'greaterThanOrEquals':
      return !less(value, bound);
    case 'lessThanOrEquals':
      return !less(bound, value);
    case 'between':
      if (!isDate) {
        const [low, high] = wanted as readonly unknown[];
        return !less(value, low) && !less(high, value);
      }
  }
  const isTime = (one: unknown) => String(one).length === 19;
  const inZone = (one: unknown) => (isTime(one) ? toMoments(one, value, timeZone) : one);
  const times = Array.isArray(wanted) ? wanted.map(inZone) : inZone(wanted);
  return holdsDate(type, times, { value: String(value), timeZone, now });
}

function holdsList(type: string, own: readonly string[], value: unknown): boolean {
  const wanted = toTexts(value);
  if (type === 'arrayAnyOf') return wanted.some((one) => own.includes(one));
  if (type === 'arrayNoneOf') return !wanted.some((one) => own.includes(one));
  if (type === 'arrayAllOf') return wanted.every((one) => own.includes(one));
  if (type === 'arrayIsEmpty' || type === 'isNull') return own.length === 0;
  if (type === 'arrayIsNotEmpty' || type === 'isNotNull') return own.length > 0;
  throw new Error(`the evaluation does not support ${type}`);
}

function holdsLink(record: StoredRecord, { type, attribute, value }: TestedCondition): boolean {
  const own = idsOf(record, attribute ?? '');
  const wanted = toTexts(value);
  if (type === 'linkedWith') return wanted.some((id) => own.includes(id));
  if (type === 'notLinkedWith') return !wanted.some((id) => own.includes(id));
  if (type === 'isLinked') return own.length > 0;
  if (type === 'isNotLinked') return own.length === 0;
  return wanted.every((id) => own.includes(id));
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
}

function holdsText(record: StoredRecord, given: string, mode: TextMode): boolean {
  const text = given.trim();
  if (text === '') return true;
  const words = wordsIn(text);
  const isByWords = mode === 'words' && !text.includes('*') && words.some((one) => one.length > 1);
  return isByWords ? holdsWords(record, text) : holdsBeginning(record, text);
}

function wordsIn(text: string): readonly string[] {
  const plain = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function holdsWords(record: StoredRecord, text: string): boolean {
  const addresses = valuesOf(record, 'emailAddress').any.map(String);
  const own = [
    ...wordsIn(String(record['name'] ?? '')),
    ...addresses.flatMap((one) => wordsIn(one.replace(/\.[^.]*$/, ''))),
  ];
  const begin = (wanted: readonly string[]) =>
    wanted.every((word) => own.some((one) => one.startsWith(word)));
  if (begin(wordsIn(text))) return true;
  const isAddress = /^\S+\.\S+$/.test(text);
  if (isAddress && begin(wordsIn(text.replace(/\.[^.]*$/, ''))))
    return addresses.some((one) =>
      one.toLowerCase().includes(text.toLowerCase().replace(/.*(?=@)/, '')),
    );
  return holdsNumber(record, text);
}

function holdsNumber(record: StoredRecord, text: string): boolean {
  if (!/^[+]?[\d ()-]+$/.test(text)) return false;
  const digits = text.replace(/\D/g, '');
  if (digits.length < 3) return false;
  // The samples have numbers of North America and national ones.
  const national = (one: string) => one.replace(/^\+1/, '').replace(/\D/g, '');
  const wanted = national(text).replace(/^0+/, '');
  return valuesOf(record, 'phoneNumber')
    .any.map(String)
    .some((one) => {
      const number = national(one);
      const begins = [wanted, wanted.replace(/^1/, '')].some(
        (form) => form.length >= 3 && number.replace(/^0+/, '').startsWith(form),
      );
      return begins || number.endsWith(digits);
    });
}

function holdsBeginning(record: StoredRecord, text: string): boolean {
  const pattern = likeToRegExp(
    text.includes('*') ? escaped(text).replaceAll('*', '%') : `${escaped(text)}%`,
  );
  const [email, ...others] = valuesOf(record, 'emailAddress').any.map(String);
  const begins = (one: unknown) => typeof one === 'string' && pattern.test(one);
  return (
    begins(record['name']) ||
    (!/\s/.test(text) && (begins(email) || others.some((one) => isSame(one, text))))
  );
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** In `like`, a backslash is a literal backslash. */
function withoutEscapes(pattern: string): string {
  return pattern.replaceAll('\\', '\\\\');
}

function likeToRegExp(pattern: string): RegExp {
  const source = pattern.replace(/\\[\\%_]|[\s\S]/g, (one) => {
    if (one === '%') return '[\\s\\S]*';
    if (one === '_') return '[\\s\\S]';
    const literal = one.length === 2 ? one.charAt(1) : one;
    return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 'iu');
}
