import type { ClientBase } from 'pg';
import { fileSchema } from '../../../shared/db/file-tables.ts';
import { ensureBesideTables } from '../beside/positions.ts';

/**
 * The bytes of files, in a schema of its own: a rebuild of the read model leaves it alone, since nothing about these
 * bytes is decided anew. Dropped, it is filled again from the topic.
 */
export async function ensureFileTables(client: ClientBase): Promise<void> {
  await ensureBesideTables(client, fileSchema, tables);
}

/** Throws where a table is gone. */
export async function requireFileTables(client: ClientBase): Promise<void> {
  await client.query(`select from ${fileSchema}.chunks, ${fileSchema}.positions limit 0`);
}

// Not compressed: most files are already, and the length of a piece is known without reading it.
const tables = `
  do $$ begin
    if to_regclass('${fileSchema}.chunks') is null then
      create table ${fileSchema}.chunks (
        sha256 text not null,
        start bigint not null,
        content bytea not null,
        primary key (sha256, start)
      );
      alter table ${fileSchema}.chunks alter column content set storage external;
      -- Of a table that is gone nothing is left that was read before.
      delete from ${fileSchema}.positions;
    end if;
  end $$;
`;
