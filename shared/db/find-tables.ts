import type { ClientBase } from 'pg';

/** A connection or a pool. */
interface Db {
  query(text: string, values: unknown[]): Promise<{ readonly rowCount: number | null }>;
}

/** Returns whether a table exists. `table` includes its schema. */
export async function hasTable(db: Db, table: string): Promise<boolean> {
  const { rowCount } = await db.query('select where to_regclass($1) is not null', [table]);
  return rowCount === 1;
}

/** Returns the names of the tables in a schema; empty if the schema does not exist. */
export async function findTables(client: ClientBase, schema: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = $1',
    [schema],
  );
  return new Set(rows.map(({ name }) => name));
}
