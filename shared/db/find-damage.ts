import type { ClientBase } from 'pg';
import type { EntityModel } from '../domain/entity/model/entity-model.ts';
import { findTables } from './find-tables.ts';
import { quoteName, tableName } from './tables/read-model-names.ts';

/** Tables with rows are missing from the read model. Only a rebuild restores them. */
export class ReadModelDamaged extends Error {
  override readonly name = 'ReadModelDamaged';

  constructor(missing: readonly string[]) {
    super(`the read model lacks ${missing.join(', ')}`);
  }
}

const ownTableNames = ['positions', 'record_history', 'entity_counts', 'rejected_entries'];

/**
 * Returns the missing tables of a read model: all of its tables if it does not exist, otherwise the tables that used to
 * exist. An entity type is counted once it has a record, so every counted type had a table.
 */
export async function findDamage(
  client: ClientBase,
  schema: string,
  models: readonly EntityModel[],
): Promise<readonly string[]> {
  const present = await findTables(client, schema);
  const own = ownTableNames.filter((name) => !present.has(name));
  if (own.length > 0) return own;
  const counted = await client.query<{ entity_type: string }>(
    `select distinct entity_type from ${quoteName(schema)}.entity_counts`,
  );
  const known = new Set(models.map(({ name }) => name));
  return counted.rows
    .map((row) => row.entity_type)
    .filter((name) => known.has(name) && !present.has(tableName(name)))
    .map(tableName);
}
