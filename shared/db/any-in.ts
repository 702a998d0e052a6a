/**
 * SQL for a condition that only a list with something in it can meet. It says so, because the index of the column has
 * no empty lists, and Postgres does not see by itself that the condition leaves them out.
 */
export function anyIn(column: string, condition: string): string {
  return `(${column} <> '{}' and ${column} ${condition})`;
}
