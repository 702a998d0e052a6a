import type { ClientBase } from 'pg';

export interface TableText {
  /** Includes the schema; quoted if necessary. */
  readonly name: string;
  readonly rows: number;
  /** The whole content; bytes as one character each. */
  readonly text: string;
}

interface FoundTable {
  readonly table: string;
  /** Its bytea columns. */
  readonly bytes: readonly string[] | null;
}

/** Reads all tables of all schemas whose names begin with `annals`. */
export async function readTableTexts(client: ClientBase): Promise<readonly TableText[]> {
  const { rows: tables } = await client.query<FoundTable>(
    `select format('%I.%I', table_schema, table_name) as table,
       array_agg(quote_ident(column_name)) filter (where data_type = 'bytea') as bytes
     from information_schema.columns where table_schema like 'annals%'
     group by table_schema, table_name order by 1`,
  );
  const texts: TableText[] = [];
  for (const { table, bytes } of tables) {
    const columns = ['to_jsonb(one)::text', ...(bytes ?? [])].join(', ');
    const { rows } = await client.query<Readonly<Record<string, string | Buffer | null>>>(
      `select ${columns} from ${table} one`,
    );
    const values = rows.flatMap((row) => Object.values(row));
    texts.push({ name: table, rows: rows.length, text: values.map(toText).join('\n') });
  }
  return texts;
}

function toText(value: string | Buffer | null): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '');
}
