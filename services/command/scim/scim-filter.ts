import { printable } from '../../../shared/domain/printable.ts';
import { isObject } from '../../../shared/domain/value/attribute-values.ts';
import { scimRefusal } from './scim-refusal.ts';
import {
  type Attribute,
  attributesOf,
  findAttribute,
  type ResourceSchema,
} from './scim-schemas.ts';

/** The place of a value in a resource, such as `emails[type eq "work"].value`. */
export interface ScimPath {
  readonly attribute: Attribute;
  /** Selects items of a multi-valued attribute; undefined selects all. */
  readonly filter: ScimFilter | undefined;
  readonly sub: Attribute | undefined;
}

/** Conditions that must all be true. */
type ScimFilter = readonly Condition[];

interface Condition {
  readonly path: ScimPath;
  readonly operator: (typeof operators)[number];
  /** In lower case, unless the attribute distinguishes case; null for `pr`. */
  readonly expected: string | null;
}

const operators = ['eq', 'co', 'sw', 'ew', 'pr'] as const;

/** Parses the `filter` of a list. Throws `invalidFilter` with the part that is not supported. */
export function parseFilter(text: string, schema: ResourceSchema): ScimFilter {
  const reader = new Reader(text, 'invalidFilter');
  const filter = readConditions(reader, attributesOf(schema), schema);
  reader.requireEnd();
  return filter;
}

/**
 * Parses the path of a PATCH operation. Returns undefined for an attribute that Annals does not store: providers send
 * many, and would report each as an error. Throws `invalidPath` for a malformed path.
 */
export function parsePath(text: string, schema: ResourceSchema): ScimPath | undefined {
  const reader = new Reader(text, 'invalidPath');
  const path = readPath(reader, attributesOf(schema), schema);
  reader.requireEnd();
  return path;
}

/** Providers send one or two. */
const MAX_CONDITIONS = 20;

function readConditions(
  reader: Reader,
  attributes: readonly Attribute[],
  schema?: ResourceSchema,
): ScimFilter {
  const conditions = [readCondition(reader, attributes, schema)];
  while (reader.takeWord('and')) {
    if (conditions.length === MAX_CONDITIONS) throw reader.problem('has too many conditions');
    conditions.push(readCondition(reader, attributes, schema));
  }
  return conditions;
}

function readCondition(
  reader: Reader,
  attributes: readonly Attribute[],
  schema: ResourceSchema | undefined,
): Condition {
  const path = readPath(reader, attributes, schema);
  if (path === undefined) throw reader.problem('names an unknown attribute');
  const operator = operators.find((one) => reader.takeWord(one));
  if (operator === undefined) throw reader.problem(`needs one of ${operators.join(', ')}`);
  if (operator === 'pr') return { path, operator, expected: null };
  const compared = path.sub ?? findAttribute(path.attribute.subAttributes, 'value');
  return { path, operator, expected: toComparable(reader.readValue(), compared ?? path.attribute) };
}

/** Returns undefined for an unknown attribute. */
function readPath(
  reader: Reader,
  attributes: readonly Attribute[],
  schema: ResourceSchema | undefined,
): ScimPath | undefined {
  const name = reader.readName();
  const urn = `${schema?.urn.toLowerCase()}:`;
  const isQualified = name.toLowerCase().startsWith(urn);
  const [first = '', subName, ...more] = (isQualified ? name.slice(urn.length) : name).split('.');
  const attribute = findAttribute(attributes, first);
  if (attribute === undefined || more.length > 0) {
    reader.skipBrackets();
    return undefined;
  }
  const { subAttributes } = attribute;
  const hasFilter = subName === undefined && attribute.multiValued === true && reader.take('[');
  const filter = hasFilter ? readConditions(reader, subAttributes ?? []) : undefined;
  if (hasFilter && !reader.take(']')) throw reader.problem('lacks a ]');
  const selected = subName ?? (hasFilter ? reader.readSubName() : undefined);
  if (selected === undefined) return { attribute, filter, sub: undefined };
  const sub = findAttribute(subAttributes, selected);
  return sub && { attribute, filter, sub };
}

/** Reads a filter or path from left to right. */
class Reader {
  readonly #text: string;
  readonly #scimType: 'invalidFilter' | 'invalidPath';
  #position = 0;

  constructor(text: string, scimType: 'invalidFilter' | 'invalidPath') {
    this.#text = text;
    this.#scimType = scimType;
  }

  readName(): string {
    const name = this.#match(/[a-z$][\w$.:-]*/iy);
    if (name === undefined) throw this.problem('needs the name of an attribute');
    return name;
  }

  readSubName(): string | undefined {
    return this.#match(/\.[a-z$][\w$-]*/iy)?.slice(1);
  }

  /** Skips the condition of an unknown attribute, and the sub-attribute after it. */
  skipBrackets(): void {
    if (this.#match(/\[(?:[^\]"\\]|"(?:[^"\\]|\\.)*")*\]/y) !== undefined) this.readSubName();
  }

  readValue(): boolean | number | string {
    const text = this.#match(/"(?:[^"\\]|\\.)*"|true\b|false\b|-?\d+(?:\.\d+)?/iy);
    try {
      return JSON.parse(text?.startsWith('"') === true ? text : String(text).toLowerCase());
    } catch {
      throw this.problem('needs a value, such as "text", true or 1');
    }
  }

  takeWord(word: string): boolean {
    return this.#match(new RegExp(`${word}\\b`, 'iy')) !== undefined;
  }

  take(character: string): boolean {
    return this.#match(new RegExp(`\\${character}`, 'y')) !== undefined;
  }

  requireEnd(): void {
    this.#match(/ */y);
    if (this.#position < this.#text.length) throw this.problem('is not supported');
  }

  problem(what: string) {
    const place = printable(this.#text.slice(this.#position)) || 'its end';
    const kind = this.#scimType === 'invalidFilter' ? 'filter' : 'path';
    const message = `The ${kind} ${what} at: ${place}. Supported are conditions with ${operators.join(', ')}, joined by and.`;
    return scimRefusal(this.#scimType, message);
  }

  /** `pattern` is sticky. Spaces before it are skipped. */
  #match(pattern: RegExp): string | undefined {
    const spaces = /^ */.exec(this.#text.slice(this.#position, this.#position + 100))?.[0] ?? '';
    pattern.lastIndex = this.#position + spaces.length;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#position = pattern.lastIndex;
    return found;
  }
}

/** `read` returns the value of an attribute, so that a list computes only the compared attributes of its resources. */
export function matchesFilter(read: (name: string) => unknown, filter: ScimFilter): boolean {
  return filter.every((condition) => matchesCondition(read, condition));
}

/** Returns whether an item of a multi-valued attribute is selected. */
export function matchesItem(item: unknown, filter: ScimFilter): boolean {
  return isObject(item) && matchesFilter((name) => item[name], filter);
}

function matchesCondition(
  read: (name: string) => unknown,
  { path, operator, expected }: Condition,
): boolean {
  const { attribute, filter, sub } = path;
  const compared = sub ?? findAttribute(attribute.subAttributes, 'value') ?? attribute;
  return valuesAt(read(attribute.name), filter, compared.name).some((value) => {
    if (value === undefined || value === null || value === '') return false;
    if (expected === null) return true;
    const actual = toComparable(value, compared);
    if (operator === 'co') return actual.includes(expected);
    if (operator === 'sw') return actual.startsWith(expected);
    if (operator === 'ew') return actual.endsWith(expected);
    return actual === expected;
  });
}

function valuesAt(
  value: unknown,
  filter: ScimFilter | undefined,
  name: string,
): readonly unknown[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items
    .filter((item) => filter === undefined || matchesItem(item, filter))
    .map((item) => (isObject(item) ? item[name] : item));
}

/** A type that Annals does not have is read as `other`, as when it is stored. */
function toComparable(value: unknown, { caseExact, canonicalValues }: Attribute): string {
  const text = typeof value === 'object' ? '' : String(value);
  const comparable = caseExact === true ? text : text.toLowerCase();
  if (canonicalValues === undefined || canonicalValues.includes(comparable)) return comparable;
  return 'other';
}
