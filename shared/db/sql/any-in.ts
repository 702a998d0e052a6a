/**
 * Returns SQL for a condition on a list column that only a non-empty list can meet. The partial index of such a
 * column excludes empty lists; Postgres cannot infer from the condition that it may use the index, so the SQL says
 * so.
 */
export function anyIn(column: string, condition: string): string {
  return `(${column} <> '{}' and ${column} ${condition})`;
}
