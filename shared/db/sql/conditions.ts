/** Returns SQL that is true if all of these conditions are. Undefined conditions are ignored. */
export function allOf(...conditions: readonly (string | undefined)[]): string {
  return conditions.filter((condition) => condition !== undefined).join(' and ');
}

/**
 * Returns SQL for a condition on a list column that only a non-empty list can meet. The partial index of such a column
 * excludes empty lists. Postgres cannot infer that the index applies, so the SQL excludes empty lists explicitly.
 */
export function anyIn(column: string, condition: string): string {
  return `(${column} <> '{}' and ${column} ${condition})`;
}
