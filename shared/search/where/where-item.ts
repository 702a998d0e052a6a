import { Refusal } from '../../domain/errors.ts';
import { printable } from '../../domain/printable.ts';
import { createLocalClock, type LocalClock } from '../../domain/value/date-time.ts';

export interface Comparison {
  readonly type: string;
  readonly value: unknown;
}

/** One list condition in client syntax (docs/reference/search.md#conditions). Its values have not been validated. */
export interface WhereItem extends Comparison {
  readonly attribute: string | undefined;
  /** The clock for days and for times without an offset; undefined (meaning UTC) if the item has no time zone. */
  readonly clock: LocalClock | undefined;
}

const MAX_DEPTH = 10;
const MAX_ITEMS = 200;
/**
 * Limit for conditions that have no index or concern other records, because planning fifty of them takes two seconds.
 */
const MAX_COSTLY = 50;
/** Maximum number of values in one list, and in all lists of a search together. */
const MAX_LISTED = 1_000;
const MAX_VALUES = 5_000;
const costly =
  /^(?:(?:not)?(?:contains|like)|(?:starts|ends)With|textFilter|primary|bool|column.*|.*linked.*|is(?:UserFromTeams|Followed|Starred))$/i;
/** Types that EspoCRM also rejects (docs/reference/espocrm-compatibility.md#refused-conditions). */
const refused: ReadonlySet<string> = new Set(['not', 'subQueryIn', 'subQueryNotIn']);
const knownKeys: ReadonlySet<string> = new Set([
  'type',
  'attribute',
  'field',
  'value',
  'dateTime',
  'date',
  'timeZone',
]);

/** Throws if the value is not a list of conditions, or contains too many conditions at any depth. */
export function readWhereItems(value: unknown): readonly WhereItem[] {
  return readItems(value, {
    depth: 1,
    left: { items: MAX_ITEMS, costly: MAX_COSTLY, values: MAX_VALUES },
  });
}

interface Budget {
  readonly depth: number;
  readonly left: { items: number; costly: number; values: number };
}

function readItems(value: unknown, budget: Budget): readonly WhereItem[] {
  const items = toList(value);
  if (items === undefined) throw badWhere('Where must be a list of conditions.');
  if (budget.depth > MAX_DEPTH) throw badWhere(`Where is nested deeper than ${MAX_DEPTH} levels.`);
  return items.map((item) => readItem(item, budget));
}

function readItem(item: unknown, budget: Budget): WhereItem {
  budget.left.items -= 1;
  if (budget.left.items < 0) {
    throw badWhere(
      `Where has more than ${MAX_ITEMS} conditions. Remove some, combine values in a list ('in'), or split the search.`,
    );
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw badWhere('A where item must be an object.');
  }
  const keys: Readonly<Record<string, unknown>> = { ...item };
  const unknown = Object.keys(keys).find((key) => !knownKeys.has(key));
  if (unknown !== undefined) throw badWhere(`Unknown key '${printable(unknown)}' in a where item.`);
  const type = readName(keys['type'], 'type');
  if (type === undefined) throw badWhere("A where item has no 'type'.");
  readScalar(keys['dateTime'], 'dateTime');
  const { timeZone } = keys;
  if (refused.has(type)) throw badWhere(`Where item type '${type}' is not allowed.`);
  const attribute = readName(keys['attribute'] ?? keys['field'], 'attribute');
  if (costly.test(type) || attribute?.includes('.') === true) spendCostly(budget);
  return {
    type,
    attribute,
    value: isLogic(type)
      ? readItems(keys['value'], { ...budget, depth: budget.depth + 1 })
      : readValue(keys['value'], budget),
    clock: timeZone == null || timeZone === '' ? undefined : readClock(timeZone),
  };
}

/** Rejects objects, because String() of an object may throw or call a client-supplied toString. */
function readValue(value: unknown, { left }: Budget): unknown {
  const list = toList(value);
  if (list === undefined) return readScalar(value, 'value');
  if (list.length > MAX_LISTED) {
    throw badWhere(
      `The list of a where item has more than ${MAX_LISTED} values. Split the search.`,
    );
  }
  left.values -= list.length;
  if (left.values < 0) {
    throw badWhere(
      `The lists in where have more than ${MAX_VALUES} values in total. Split the search.`,
    );
  }
  return list.map((one) => readScalar(one, 'value'));
}

function spendCostly({ left }: Budget): void {
  left.costly -= 1;
  if (left.costly >= 0) return;
  throw badWhere(
    `Where has more than ${MAX_COSTLY} conditions on parts of texts and on linked records (contains, like, linkedWith, account.name). Remove some, or split the search.`,
  );
}

function readScalar(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  throw badWhere(`'${key}' of a where item must be a string, a number or a boolean.`);
}

function readName(value: unknown, key: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw badWhere(`'${key}' of a where item must be a name.`);
}

export function isLogic(type: string): type is 'and' | 'or' {
  return type === 'and' || type === 'or';
}

/** Reads a list in JSON or in a query: `a[]=…`, `a[0]=…`. Long query lists arrive as objects with numeric keys. */
export function toList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  if (!entries.every(([key]) => /^\d+$/.test(key))) return undefined;
  return entries
    .toSorted(([left], [right]) => Number(left) - Number(right))
    .map(([, item]) => item);
}

/** Returns the values of a condition that takes a list. */
export function requireList({ type, value }: Comparison): readonly unknown[] {
  const list = toList(value);
  if (list === undefined) throw badWhere(`Where item '${type}' needs a list as its value.`);
  return list;
}

/** Returns the values of a condition that takes exactly two. */
export function requireTwo(item: WhereItem): readonly [first: unknown, last: unknown] {
  const [first, last, ...more] = requireList(item);
  if (last !== undefined && more.length === 0) return [first, last];
  throw badWhere("Where item 'between' needs a list of two values.");
}

export function badWhere(message: string): Refusal {
  return new Refusal('invalid', 'where.invalid', message);
}

export function unknownAttribute(name: string): Refusal {
  const message = `Not existing attribute '${printable(name)}' in where.`;
  return new Refusal('invalid', 'where.unknown_attribute', message);
}

function readClock(given: unknown): LocalClock {
  const timeZone = String(readScalar(given, 'timeZone'));
  try {
    return createLocalClock(timeZone);
  } catch {
    throw badWhere(
      `Unknown time zone '${printable(timeZone)}': use a name like Europe/Berlin or an offset like +02:00.`,
    );
  }
}
