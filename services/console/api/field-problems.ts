import { ApiError } from './errors.ts';

/** Returns the validation messages of an error by field name; empty for other errors. */
export function problemsIn(error: unknown): ReadonlyMap<string, string> {
  const fields = error instanceof ApiError ? error.fields : [];
  return new Map(fields.map(({ field, message }) => [field, message]));
}
