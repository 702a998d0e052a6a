import type { ClientBase } from 'pg';

/** A connection, or a pool of them. */
interface Db {
  query(text: string, values: unknown[]): Promise<{ readonly rowCount: number | null }>;
}

/** Whether there is a table, named with its schema. */
export async function hasTable(db: Db, table: string): Promise<boolean> {
  const { rowCount } = await db.query('select where to_regclass($1) is not null', [table]);
  return rowCount === 1;
}

/** The names of the tables in a schema; none if there is no such schema. */
export async function findTables(client: ClientBase, schema: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = $1',
    [schema],
  );
  return new Set(rows.map(({ name }) => name));
}
