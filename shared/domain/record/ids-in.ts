/** Returns the ids, or other strings, of a list attribute; empty for any other value. */
export function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Like `idsIn`, but treats a single string as a list of one. */
export function idOrIdsIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : idsIn(value);
}
