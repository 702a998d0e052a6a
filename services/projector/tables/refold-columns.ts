import type { ClientBase } from 'pg';
import { foldedColumns, foldFunction } from '../../../shared/db/sql/folded-text.ts';
import {
  ownName,
  quotedTable,
  quoteName,
  tableName,
} from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { interruptTextIndexes } from './build-text-indexes.ts';

/**
 * Fills folded columns again whose values are of an earlier rule. Postgres rewrites the table, and keeps the indexes on
 * the column; before version 17 the column is replaced, and its indexes are created again.
 */
export async function refoldColumns(
  client: ClientBase,
  { schema, models, version }: RefoldRequest,
): Promise<void> {
  const outdated = await outdatedColumns(client, schema);
  for (const model of models) {
    const columns = foldedColumns(model).filter(({ name }) =>
      outdated.has(`${tableName(model.name)}.${name}`),
    );
    if (columns.length === 0) continue;
    await interruptTextIndexes(client);
    const changes = columns.map(({ name, expression }) => {
      const column = quoteName(name);
      const value = expression(schema);
      return version >= 17
        ? `alter column ${column} set expression as (${value})`
        : `drop column ${column}, add column ${column} ${foldedType(value)}`;
    });
    // Of versions before folded addresses had an index.
    const former = ownName(tableName(model.name), 'email_address_others');
    await client.query(`drop index if exists ${quoteName(schema)}.${quoteName(former)}`);
    await client.query(`alter table ${quotedTable(schema, model.name)} ${changes.join(', ')}`);
  }
}

/** The type of a column with this value. */
export function foldedType(value: string): string {
  return `text collate "C" generated always as (${value}) stored`;
}

interface RefoldRequest {
  readonly schema: string;
  readonly models: readonly EntityModel[];
  /** Of Postgres. */
  readonly version: number;
}

async function outdatedColumns(client: ClientBase, schema: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns
     where table_schema = $1 and is_generated = 'ALWAYS' and strpos(generation_expression, $2) = 0`,
    [schema, `${foldFunction}(`],
  );
  return new Set(rows.map(({ place }) => place));
}
