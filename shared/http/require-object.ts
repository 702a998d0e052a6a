import { Refusal } from '../domain/errors.ts';

/** Returns the body if it is a JSON object; otherwise throws with the kind of value it was. */
export function requireObject(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Readonly<Record<string, unknown>>;
  }
  const actual = body === undefined ? 'empty' : describeJson(body);
  throw new Refusal(
    'invalid',
    'body.not_an_object',
    `The body is not a JSON object but ${actual}.`,
  );
}

function describeJson(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** Returns a string property of a body, or '' if it is not a string: String() of an object may throw. */
export function textIn(body: unknown, name: string): string {
  const value: unknown = Object(body)[name];
  return typeof value === 'string' ? value : '';
}
