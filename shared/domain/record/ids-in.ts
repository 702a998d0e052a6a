/** The ids, or other texts, of an attribute that holds a list; none of anything else. */
export function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The same where a single text counts as a list of one. */
export function idOrIdsIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : idsIn(value);
}
