/** No id has any other form. */
const idPattern = /^[\x21-\x7e]{1,100}$/;

/** Returns a list of ids without duplicates; undefined for anything else. */
export function toIds(ids: unknown): readonly string[] | undefined {
  const isList =
    Array.isArray(ids) && ids.every((id) => typeof id === 'string' && idPattern.test(id));
  return isList ? [...new Set(ids.map(String))] : undefined;
}

/** Returns a JSON object, which PHP clients encode as a list if it is empty; undefined for anything else. */
export function toMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined;
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
