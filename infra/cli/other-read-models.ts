import type { ClientBase } from 'pg';
import {
  formerSchemaPrefix,
  quoteName,
  rebuildSchema,
} from '../../shared/db/tables/read-model-names.ts';

/**
 * Returns the schemas of read models that are not live: unfinished rebuilds, and former read models that a rebuild left
 * behind.
 */
export async function findOtherReadModels(client: ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname = $1 or starts_with(nspname, $2)`,
    [rebuildSchema, formerSchemaPrefix],
  );
  return rows.map(({ name }) => name);
}

/**
 * Drops all read models that are not live. Their positions refer to the previous log, so a rebuild that resumed from
 * them would skip entries.
 */
export async function dropOtherReadModels(client: ClientBase): Promise<void> {
  for (const schema of await findOtherReadModels(client))
    await client.query(`drop schema ${quoteName(schema)} cascade`);
}
