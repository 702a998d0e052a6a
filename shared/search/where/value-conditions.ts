import { anyIn } from '../../db/sql/conditions.ts';
import { foldedWhole } from '../../db/sql/folded-text.ts';
import type { AttributeKind } from '../../domain/field/attribute.ts';
import { printable } from '../../domain/printable.ts';
import { describeLoss, losesDigits } from '../../domain/value/parse-json.ts';
import type { Binder } from './binder.ts';
import { readMoment, toColumnTime } from './read-moment.ts';
import { requireModestPattern } from './text-pattern.ts';
import {
  badWhere,
  type Comparison,
  requireList,
  requireTwo,
  type WhereItem,
} from './where-item.ts';

/** A value of a row, and the SQL parts of a condition on it. */
interface ValueContext {
  readonly expression: string;
  readonly kind: AttributeKind;
  readonly attribute: string;
  readonly binder: Binder;
}

/** Includes the clock that applies to times without an offset, if the condition has a time zone. */
type ClockedContext = ValueContext & { readonly clock: WhereItem['clock'] };

type Writer = (item: WhereItem, context: ClockedContext) => string;

/** Returns undefined for other types of conditions. */
export function valueCondition(item: WhereItem, context: ValueContext): string | undefined {
  const write = Object.hasOwn(writers, item.type) ? writers[item.type] : undefined;
  if (write === undefined) return undefined;
  const isList = context.kind === 'strings' || context.kind === 'json';
  if (isList && !ofLists.has(item.type)) {
    throw badWhere(`Where item '${item.type}' does not work on the list '${context.attribute}'.`);
  }
  return write(item, { ...context, clock: clockOf(item, context) });
}

function clockOf({ type, clock }: WhereItem, { kind, attribute }: ValueContext) {
  if (clock === undefined || kind !== 'datetime') return undefined;
  if (ofTexts.has(type)) {
    throw badWhere(
      `Where item '${type}' compares '${attribute}' in UTC. Remove 'timeZone', or use 'between'.`,
    );
  }
  return clock;
}

const ofTexts: ReadonlySet<string> = new Set([
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'like',
  'notLike',
]);

/** Compiles a condition on a list of values (`multiEnum`, `teamsIds`); undefined for other types of conditions. */
export function listCondition(item: WhereItem, context: ValueContext): string | undefined {
  const { expression, kind, binder } = context;
  if (!arrayConditionTypes.includes(item.type)) return undefined;
  if (kind !== 'strings') {
    throw badWhere(
      `Where item '${item.type}' requires a list attribute, but '${context.attribute}' is not a list.`,
    );
  }
  const list = `coalesce(${expression}, '{}')`;
  if (item.type === 'arrayIsEmpty') return `cardinality(${list}) = 0`;
  if (item.type === 'arrayIsNotEmpty') return `cardinality(${list}) > 0`;
  const values = toList(item.value).map(toText);
  const wanted = `${binder.bind(values)}::text[]`;
  if (item.type === 'arrayAllOf') return holdsAll(expression, wanted);
  if (item.type === 'arrayAnyOf') return anyIn(expression, `&& ${wanted}`);
  return `not ${list} && ${wanted}`;
}

/** Uses the bare column so that its index applies. An unset list also contains all elements of an empty list. */
export function holdsAll(column: string, wanted: string): string {
  return `(${column} @> ${wanted} or ${wanted} = '{}')`;
}

/** The condition types for array attributes. */
export const arrayConditionTypes: readonly string[] = [
  'arrayAnyOf',
  'arrayNoneOf',
  'arrayAllOf',
  'arrayIsEmpty',
  'arrayIsNotEmpty',
];

function toList(value: unknown): readonly unknown[] {
  return typeof value === 'string' ? [value] : requireList({ type: 'array', value });
}

const ofLists: ReadonlySet<string> = new Set(['isNull', 'isNotNull', 'ever', 'any', 'none']);

/** SQL types by kind, for placeholders whose type Postgres cannot infer. */
const sqlTypes: Readonly<Record<AttributeKind, string>> = {
  string: 'text',
  bool: 'boolean',
  // Clients also compare integers with fractions.
  int: 'double precision',
  float: 'double precision',
  decimal: 'numeric',
  date: 'date',
  datetime: 'timestamp',
  strings: 'text[]',
  json: 'jsonb',
};

const writers: Readonly<Record<string, Writer>> = {
  equals({ value }, context) {
    if (value === null) return isMissing(context);
    if (Array.isArray(value)) return among({ type: 'equals', value }, context, '= any');
    return compare(value, context, '=');
  },
  notEquals({ value }, context) {
    if (value === null) return `not ${isMissing(context)}`;
    if (Array.isArray(value)) return among({ type: 'notEquals', value }, context, '<> all');
    return compare(value, context, '<>');
  },
  in: (item, context) => among(item, context, '= any'),
  notIn: (item, context) => among(item, context, '<> all'),
  greaterThan: ({ value }, context) => compare(value, context, '>'),
  lessThan: ({ value }, context) => compare(value, context, '<'),
  greaterThanOrEquals: ({ value }, context) => compare(value, context, '>='),
  lessThanOrEquals: ({ value }, context) => compare(value, context, '<='),
  isNull: (_item, context) => isMissing(context),
  isNotNull: (_item, context) => `not ${isMissing(context)}`,
  ever: (_item, context) => `not ${isMissing(context)}`,
  isTrue: (_item, context) => `coalesce(${requireBool(context)}, false)`,
  isFalse: (_item, context) => `not coalesce(${requireBool(context)}, false)`,
  any: () => 'true',
  none: () => 'false',
  contains: ({ value }, context) => matches(`%${escapeLike(value)}%`, context),
  notContains: ({ value }, context) => `not ${matches(`%${escapeLike(value)}%`, context)}`,
  startsWith: ({ value }, context) => matches(`${escapeLike(value)}%`, context),
  endsWith: ({ value }, context) => matches(`%${escapeLike(value)}`, context),
  like: ({ value }, context) => matches(toLikePattern(value), context),
  notLike: ({ value }, context) => `not ${matches(toLikePattern(value), context)}`,
  between(item, context) {
    const [first, last] = requireTwo(item);
    return `(${compare(first, context, '>=')} and ${compare(last, context, '<=')})`;
  },
};

/** The types of conditions on single values. */
export const valueConditionTypes: readonly string[] = Object.keys(writers);

function compare(value: unknown, context: ClockedContext, operator: string): string {
  const { kind, binder } = context;
  const bound = `${binder.bind(toValue(value, context))}::${sqlTypes[kind]}`;
  return `${presentOf(context)} ${operator} ${bound}`;
}

function among(item: Comparison, context: ClockedContext, operator: '= any' | '<> all'): string {
  const values = requireList(item).filter((value) => value !== null);
  const bound = context.binder.bind(values.map((value) => toValue(value, context)));
  return `${presentOf(context)} ${operator}(${bound}::${sqlTypes[context.kind]}[])`;
}

/** As in the API, lists can be empty but are never missing, and flags are never missing. */
function isMissing(context: ValueContext): string {
  const { expression, kind } = context;
  return kind === 'strings'
    ? `(cardinality(coalesce(${expression}, '{}')) = 0)`
    : `(${presentOf(context)} is null)`;
}

/** A flag that was never set is false. */
function presentOf({ kind, expression }: ValueContext): string {
  return kind === 'bool' ? `coalesce(${expression}, false)` : expression;
}

function matches(pattern: string, { expression, kind, binder }: ValueContext): string {
  const text = kind === 'string' ? expression : `(${expression})::text`;
  return `${foldedWhole(text)} like ${foldedWhole(`${binder.bind(pattern)}::text`)}`;
}

/** `%` and `_` are wildcards. A backslash is literal, even at the end. */
function toLikePattern(value: unknown): string {
  const text = toText(value);
  requireModestPattern(text, '%_');
  return text.replaceAll('\\', String.raw`\\`);
}

export function escapeLike(value: unknown): string {
  const text = toText(value);
  requireModestPattern(text, '');
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** Throws for values that are not text, and for text that Postgres cannot store. */
export function toText(value: unknown): string {
  const isScalar =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (!isScalar)
    throw badWhere('A where item on text needs a string, number or boolean as its value.');
  const text = String(value);
  if (text.includes('\0') || !text.isWellFormed())
    throw badWhere('A where condition contains invalid text (NUL or an unpaired surrogate).');
  return text;
}

function requireBool({ expression, kind, attribute }: ValueContext): string {
  if (kind !== 'bool') throw badWhere(`'${attribute}' is not a boolean attribute.`);
  return expression;
}

/** In a query every value is text, and must be convertible to the column's type. */
function toValue(value: unknown, context: ClockedContext): unknown {
  switch (context.kind) {
    case 'bool':
      return toBool(value, context);
    case 'int':
    case 'float':
    case 'decimal':
      return toNumber(value, context);
    case 'date':
    case 'datetime':
      return toTime(value, context.kind, context);
    default:
      return toText(value);
  }
}

function toBool(value: unknown, context: ValueContext): boolean {
  if (/^(?:true|1)$/i.test(String(value))) return true;
  if (/^(?:false|0|)$/i.test(String(value))) return false;
  throw unfit(value, context, 'true or false');
}

function toNumber(value: unknown, context: ValueContext): number {
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  const number = isNumeric ? Number(value) : Number.NaN;
  if (Number.isFinite(number)) {
    if (typeof value === 'string' && losesDigits(value))
      throw badWhere(describeLoss(value, context.attribute));
    return number;
  }
  throw unfit(value, context, 'a number');
}

function toTime(value: unknown, kind: 'date' | 'datetime', context: ClockedContext): string {
  const { attribute, clock } = context;
  const { ms, isDay } = readMoment(value, { kind, attribute, clock });
  const isLocalDay = isDay && kind === 'datetime' && clock !== undefined;
  return toColumnTime(isLocalDay ? clock.toUtc(ms) : ms, kind);
}

function unfit(value: unknown, { attribute }: ValueContext, expected: string): Error {
  return badWhere(
    `'${printable(String(value))}' is not a valid value for attribute '${attribute}': expected ${expected}.`,
  );
}
