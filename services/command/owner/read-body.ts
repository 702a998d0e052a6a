import { Refusal } from '../../../shared/domain/errors.ts';
import { type AttributeValues, isObject } from '../../../shared/domain/value/attribute-values.ts';

/** A JSON object with unchecked values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads one property of a command's body. The error names the property. */
export type Read<Value> = (value: unknown, name: string) => Value;

/** Reads an object with one reader per property. Other properties are dropped. */
export function asObject<Value extends object>(
  readers: {
    readonly [Part in keyof Value]-?: Read<Value[Part]>;
  },
): Read<Value> {
  const parts: readonly [string, Read<unknown>][] = Object.entries(readers);
  return (value, name) => {
    const given = asJson(value, name);
    const read = new Map(parts.map(([part, readPart]) => [part, readPart(given[part], part)]));
    // Keeps the sender's order of properties, because some objects are stored as JSON text in events.
    const ordered = new Set([...Object.keys(given), ...read.keys()]);
    const present = [...ordered].filter((part) => read.get(part) !== undefined);
    return Object.fromEntries(present.map((part) => [part, read.get(part)])) as Value;
  };
}

export const asJson: Read<JsonObject> = (value, name) => {
  if (isObject(value)) return value;
  throw unreadable(name, 'an object');
};

/** Attribute values. The decision validates them. */
export const asValues: Read<AttributeValues> = (value, name) =>
  asJson(value, name) as AttributeValues;

export const asText: Read<string> = (value, name) => {
  if (typeof value === 'string') return value;
  throw unreadable(name, 'a text');
};

export const asNumber: Read<number> = (value, name) => {
  if (typeof value === 'number') return value;
  throw unreadable(name, 'a number');
};

export const asFlag: Read<boolean> = (value, name) => {
  if (typeof value === 'boolean') return value;
  throw unreadable(name, 'true or false');
};

/** An unchecked value. The handler validates it. */
export const asAnything: Read<unknown> = (value) => value;

export function asOneOf<const Value extends string>(values: readonly Value[]): Read<Value> {
  return (value, name) => {
    const found = values.find((one) => one === value);
    if (found !== undefined) return found;
    throw unreadable(name, `one of ${values.join(', ')}`);
  };
}

export function asListOf<Value>(read: Read<Value>): Read<readonly Value[]> {
  return (value, name) => {
    if (Array.isArray(value)) return value.map((one) => read(one, name));
    throw unreadable(name, 'a list');
  };
}

/** An object with values of one type. */
export function asMapOf<Value>(read: Read<Value>): Read<Readonly<Record<string, Value>>> {
  return (value, name) =>
    Object.fromEntries(
      Object.entries(asJson(value, name)).map(([key, one]) => [key, read(one, key)]),
    );
}

export function optional<Value>(read: Read<Value>): Read<Value | undefined> {
  return (value, name) => (value === undefined ? undefined : read(value, name));
}

export function nullable<Value>(read: Read<Value>): Read<Value | null> {
  return (value, name) => (value === null ? null : read(value, name));
}

function unreadable(name: string, wanted: string): Refusal {
  const message = `'${name}' of a command between instances must be ${wanted}.`;
  return new Refusal('invalid', 'body.value_missing', message);
}
