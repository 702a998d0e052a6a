import type { ClientBase } from 'pg';
import { fileSchema } from '../../../shared/db/tables/file-tables.ts';
import { ensureSecondaryTables } from '../secondary/positions.ts';

/**
 * Creates the tables of file contents, in a schema of their own that a rebuild of the read model leaves alone, because
 * nothing about these bytes is decided anew. If it is dropped, the projector fills it again from the topic.
 */
export async function ensureFileTables(client: ClientBase): Promise<void> {
  await ensureSecondaryTables(client, fileSchema, tables);
}

/** Throws if a table is missing. */
export async function requireFileTables(client: ClientBase): Promise<void> {
  await client.query(`select from ${fileSchema}.chunks, ${fileSchema}.positions limit 0`);
}

// Not compressed: most files already are, and the length of a chunk can be known without reading it.
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
