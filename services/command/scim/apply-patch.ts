import { printable } from '../../../shared/domain/printable.ts';
import { isObject } from '../../../shared/domain/value/attribute-values.ts';
import { matchesItem, parsePath, type ScimPath } from './scim-filter.ts';
import { scimRefusal } from './scim-refusal.ts';
import {
  type Attribute,
  attributesOf,
  findAttribute,
  type ResourceSchema,
} from './scim-schemas.ts';

/** The attributes of a user or group that the provider can write, by their exact names. */
export type Resource = Readonly<Record<string, unknown>>;

const verbs = ['add', 'replace', 'remove'] as const;

interface Operation {
  readonly verb: (typeof verbs)[number];
  readonly path: string | undefined;
  readonly value: unknown;
}

/** Providers send a few. The limit bounds the work of one request. */
const MAX_OPERATIONS = 1_000;

/** About a tenth of a second. */
const MAX_LOOKED_AT = 2_000_000;

/**
 * Applies the operations of a PATCH (RFC 7644, section 3.5.2) in order. Accepts what providers send in addition: verbs
 * in any case, paths as the names of an operation without `path`, and a `remove` that names the items in `value`.
 */
export function applyPatch(
  resource: Resource,
  body: Readonly<Record<string, unknown>>,
  schema: ResourceSchema,
): Resource {
  const operations = readOperations(body);
  requireBounded(resource, operations);
  return operations.reduce((current, operation) => {
    const { verb, path, value } = operation;
    if (path !== undefined) return applyAt(current, operation, parsePath(path, schema));
    if (verb === 'remove') throw scimRefusal('invalidPath', "A remove operation needs a 'path'.");
    if (!isObject(value)) {
      throw scimRefusal('invalidValue', "An operation without 'path' needs an object as 'value'.");
    }
    return Object.entries(value).reduce(
      (before, [name, one]) =>
        applyAt(before, { ...operation, value: one }, parsePath(name, schema)),
      current,
    );
  }, resource);
}

/** Each change looks at all items of a list. */
function requireBounded(resource: Resource, operations: readonly Operation[]): void {
  const given = operations.flatMap(({ path, value }) =>
    path === undefined && isObject(value) ? Object.values(value) : [value],
  );
  const lists = [...Object.values(resource), ...given].filter(Array.isArray);
  const items = lists.reduce((sum, list) => sum + list.length, 0);
  if (given.length * items <= MAX_LOOKED_AT) return;
  const message = 'These operations change too many members. Send them in several requests.';
  throw scimRefusal('invalidValue', message, 'too_large');
}

/** Returns the known attributes of a whole resource, under their exact names. */
export function readResource(
  body: Readonly<Record<string, unknown>>,
  schema: ResourceSchema,
): Resource {
  const attributes = attributesOf(schema);
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const attribute = findAttribute(attributes, name);
      if (attribute === undefined || attribute.isReadOnly === true) return [];
      return [[attribute.name, normalize(value, attribute)]];
    }),
  );
}

/** Returns a resource with new values. Parts of a complex value, and attributes, that the values omit stay. */
export function mergeResource(current: Resource, given: Resource): Resource {
  const merged = Object.entries(given).map(([name, value]) => {
    const before = current[name];
    return [name, isObject(before) && isObject(value) ? { ...before, ...value } : value] as const;
  });
  return { ...current, ...Object.fromEntries(merged) };
}

function readOperations(body: Readonly<Record<string, unknown>>): readonly Operation[] {
  const [, list] = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations') ?? [];
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_OPERATIONS) {
    const message = `'Operations' must be a list of 1 to ${MAX_OPERATIONS} operations.`;
    throw scimRefusal('invalidSyntax', message);
  }
  return list.map(readOperation);
}

function readOperation(operation: unknown): Operation {
  const { op, path, value } = isObject(operation) ? operation : {};
  const verb = verbs.find((one) => typeof op === 'string' && one === op.toLowerCase());
  if (verb === undefined) {
    throw scimRefusal('invalidSyntax', `'op' must be one of ${verbs.join(', ')}.`);
  }
  // Without this check, a replacement of members by a missing value would remove all of them.
  if (verb !== 'remove' && value === undefined) {
    throw scimRefusal('invalidValue', `An operation with '${verb}' needs a 'value'.`);
  }
  const given = path ?? '';
  if (typeof given !== 'string') throw scimRefusal('invalidPath', "'path' must be a text.");
  return { verb, path: given === '' ? undefined : given, value };
}

function applyAt(resource: Resource, operation: Operation, path: ScimPath | undefined): Resource {
  if (path === undefined || isReadOnly(path)) return resource;
  const { attribute, sub } = path;
  const value = operation.verb === 'remove' ? null : normalize(operation.value, sub ?? attribute);
  if (attribute.multiValued === true) {
    return { ...resource, [attribute.name]: changeList(resource, operation, path) };
  }
  const given = sub === undefined ? value : { [sub.name]: value };
  return mergeResource(resource, { [attribute.name]: given });
}

function isReadOnly({ attribute, sub }: ScimPath): boolean {
  return attribute.isReadOnly === true || sub?.isReadOnly === true;
}

/** Changes a multi-valued attribute: the selected items, the items that the value names, or the whole list. */
function changeList(
  resource: Resource,
  { verb, value }: Operation,
  path: ScimPath,
): readonly unknown[] {
  const { attribute, filter, sub } = path;
  const items = toItems(resource[attribute.name]);
  if (filter !== undefined || sub !== undefined) {
    const parts = sub === undefined ? toPart(value) : { [sub.name]: normalize(value, sub) };
    return changeSelected(items, { verb, parts }, path);
  }
  if (verb === 'remove' && value === undefined) return [];
  const given = toItems(value).map((item) => toKnownParts(item, attribute));
  return verb === 'replace' ? given : changeNamed(items, verb, given);
}

function changeNamed(
  items: readonly unknown[],
  verb: 'add' | 'remove',
  given: readonly unknown[],
): readonly unknown[] {
  const named = new Set(given.map(keyOf));
  const others = items.filter((item) => !named.has(keyOf(item)));
  if (verb === 'remove') return others;
  const known = new Set(items.map(keyOf));
  const isPrimaryGiven = given.some((item) => isObject(item) && item['primary'] === true);
  // Only one item can be primary, and a new one takes precedence.
  const kept = isPrimaryGiven ? others.map((item) => ({ ...toPart(item), primary: false })) : items;
  return isPrimaryGiven
    ? [...kept, ...given]
    : [...kept, ...given.filter((item) => !known.has(keyOf(item)))];
}

/** Changes the items that a filter selects. An item that does not exist is added, because clients expect it. */
function changeSelected(
  items: readonly unknown[],
  { verb, parts }: { readonly verb: Operation['verb']; readonly parts: Resource },
  { filter = [], sub }: ScimPath,
): readonly unknown[] {
  const isSelected = (item: unknown) => matchesItem(item, filter);
  if (verb === 'remove') {
    // An address without its value is meaningless.
    const isWhole = sub === undefined || sub.name === 'value';
    return isWhole ? items.filter((item) => !isSelected(item)) : items;
  }
  if (items.some(isSelected)) {
    return items.map((item) => (isSelected(item) ? { ...toPart(item), ...parts } : item));
  }
  const selecting = filter.map(({ path, expected }) => [path.attribute.name, expected] as const);
  return [...items, { ...Object.fromEntries(selecting), ...parts }];
}

/** Items are the same if their values are. */
function keyOf(item: unknown): string {
  const { value } = toPart(item);
  return typeof value === 'string' ? value.toLowerCase() : JSON.stringify(item);
}

function toPart(item: unknown): Readonly<Record<string, unknown>> {
  return isObject(item) ? item : { value: item };
}

function toItems(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Gives the parts of complex values their exact names, drops unknown parts, and unwraps single values in a list. */
function normalize(value: unknown, attribute: Attribute): unknown {
  const { name, multiValued, subAttributes } = attribute;
  if (multiValued === true) return toItems(value).map((item) => toKnownParts(item, attribute));
  if (Array.isArray(value) && value.length === 1) return normalize(value[0], attribute);
  if (isObject(value) && subAttributes === undefined) return value['value'];
  if (value !== null && value !== undefined && subAttributes !== undefined && !isObject(value)) {
    throw scimRefusal(
      'invalidValue',
      `${name} must be an object, not ${printable(String(value))}.`,
    );
  }
  return subAttributes === undefined || !isObject(value) ? value : toKnownParts(value, attribute);
}

function toKnownParts(item: unknown, { subAttributes = [] }: Attribute): unknown {
  if (!isObject(item)) return { value: item };
  const parts = Object.entries(item).flatMap(([name, value]) => {
    const part = findAttribute(subAttributes, name);
    return part === undefined ? [] : [[part.name, value] as const];
  });
  return Object.fromEntries(parts);
}
