import { Refusal } from '../domain/errors.ts';
import { isObject, toObject } from '../domain/value/attribute-values.ts';

/** Returns the body if it is a JSON object; otherwise throws an error that names the kind of value. */
export function requireObject(body: unknown): Readonly<Record<string, unknown>> {
  if (isObject(body)) return body;
  const actual = body === undefined ? 'empty' : describeJson(body);
  throw new Refusal(
    'invalid',
    'body.not_an_object',
    `The body must be a JSON object, not ${actual}.`,
  );
}

function describeJson(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/**
 * Returns a string property of a body, or '' if it is not a string. Does not call String(), which may throw for an
 * object.
 */
export function textIn(body: unknown, name: string): string {
  const value = toObject(body)[name];
  return typeof value === 'string' ? value : '';
}

/** Returns a string property of a body. Throws if it is missing, empty, or not a string. */
export function requireText(body: unknown, name: string): string {
  const text = textIn(body, name);
  if (text !== '') return text;
  const message = `'${name}' is missing from the body, or is not a string.`;
  throw new Refusal('invalid', 'body.value_missing', message);
}

/** All ids match this pattern. */
const idPattern = /^[\x21-\x7e]{1,100}$/;

/** Returns a list of ids without duplicates; undefined for anything else. */
export function toIds(ids: unknown): readonly string[] | undefined {
  const isList =
    Array.isArray(ids) && ids.every((id) => typeof id === 'string' && idPattern.test(id));
  return isList ? [...new Set(ids.map(String))] : undefined;
}

/** Returns a JSON object; undefined for anything else. PHP clients encode an empty object as `[]`. */
export function toMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined;
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
