import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';

/** Returns all rows of all tables of the read model as canonical text. */
export async function dumpReadModel(
  databaseUrl: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  return withClient(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = 'annals' order by table_name`,
    );
    const dump: Record<string, readonly string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select to_jsonb(one)::text as row from annals."${name}" one order by 1`,
      );
      dump[name] = rows.map(({ row }) => row);
    }
    return dump;
  });
}
