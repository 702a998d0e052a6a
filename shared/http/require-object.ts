import { Refusal } from '../domain/errors.ts';

/** The body of a request that has to be a JSON object; refuses anything else, and says what it was. */
export function requireObject(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Readonly<Record<string, unknown>>;
  }
  const came = body === undefined ? 'empty' : describeJson(body);
  throw new Refusal('invalid', 'body.not_an_object', `The body is not a JSON object but ${came}.`);
}

function describeJson(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** A text of a body; empty, which names nothing, if the value is no text: String() of an object may throw. */
export function textIn(body: unknown, name: string): string {
  const value: unknown = Object(body)[name];
  return typeof value === 'string' ? value : '';
}
