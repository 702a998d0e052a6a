import { ApiError } from './errors.ts';

/** What an answer says of fields, by field. */
export function problemsIn(error: unknown): ReadonlyMap<string, string> {
  const fields = error instanceof ApiError ? error.fields : [];
  return new Map(fields.map(({ field, message }) => [field, message]));
}
