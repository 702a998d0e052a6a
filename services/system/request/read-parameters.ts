import { Refusal } from '../../../shared/domain/errors.ts';
import { readTime } from '../../../shared/http/read-time.ts';

export type Query = Readonly<Record<string, unknown>>;

const MAX_SIZE = 200;
const USUAL_SIZE = 50;

export const badParameter = (message: string): Refusal =>
  new Refusal('invalid', 'parameter.invalid', message);

/** Returns a parameter; undefined if it is missing or empty. */
export function readOnce(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw badParameter(`${name} must be given once.`);
}

/** Returns a time in milliseconds since 1970; undefined if it is missing or empty. */
export function readMoment(query: Query, name: string): number | undefined {
  const given = readOnce(query, name);
  return given === undefined ? undefined : readTime(given, name);
}

/** Returns `maxSize`, the number of entries of a page. */
export function readSize(query: Query): number {
  const given = readOnce(query, 'maxSize') ?? String(USUAL_SIZE);
  const size = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (size >= 1 && size <= MAX_SIZE) return size;
  throw badParameter(`maxSize must be a number from 1 to ${MAX_SIZE}.`);
}

/** The schemas of `maxSize`, and of a list of so many entries. */
export const sizeSchema = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_SIZE,
  default: USUAL_SIZE,
} as const;
