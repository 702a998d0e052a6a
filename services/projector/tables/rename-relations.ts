import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { foldedColumns } from '../../../shared/db/sql/folded-text.ts';
import {
  columnName,
  ownName,
  quotedTable,
  quoteName,
  tableName,
  toSnakeCase,
} from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { interruptTextIndexes } from './build-text-indexes.ts';

/**
 * Renames indexes, keys, statistics and columns whose names were shortened, because versions before ADR 41 gave them
 * names that a definition can also produce. Has to run before tables are created, because a new entity type may have
 * such a name.
 */
export async function renameRelations(
  client: ClientBase,
  schema: string,
  models: readonly EntityModel[],
): Promise<void> {
  const relations = await findRelations(client, schema);
  const taken = new Set(relations.map(({ name }) => name));
  const former = relations.filter(({ name }) => !/[$~]/.test(name));
  const columns = await columnStatements(client, schema, models);
  // These statements would wait for an index build, and every reader of the table would wait for these statements.
  if (former.length + columns.length > 0) await interruptTextIndexes(client);
  for (const relation of former) {
    const quoted = `${relation.kind} ${quoteName(schema)}.${quoteName(relation.name)}`;
    const name = nextName(relation);
    const isDropped = name === undefined || taken.has(name);
    await client.query(
      isDropped ? `drop ${quoted}` : `alter ${quoted} rename to ${quoteName(name)}`,
    );
  }
  for (const sql of columns) await client.query(sql);
}

interface Relation {
  readonly kind: 'index' | 'statistics';
  readonly name: string;
  readonly table: string;
  readonly isKey: boolean;
}

async function findRelations(client: ClientBase, schema: string): Promise<readonly Relation[]> {
  const { rows } = await client.query<Relation>(
    `select 'index' as kind, c.relname as name, t.relname as table, i.indisprimary as "isKey"
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     where t.relnamespace = to_regnamespace($1)
     union all
     select 'statistics', s.stxname, t.relname, false
     from pg_statistic_ext s join pg_class t on t.oid = s.stxrelid
     where s.stxnamespace = to_regnamespace($1)`,
    [quoteName(schema)],
  );
  return rows;
}

/**
 * Returns undefined for relations that are no longer used, and for shortened names, whose indexes are created again.
 */
function nextName({ name, table, isKey }: Relation): string | undefined {
  if (isKey) return ownName(table, 'pkey');
  const suffix = name.startsWith(`${table}_`) ? name.slice(table.length + 1) : '';
  if (suffix === '' || name.length >= MAX_NAME || isRetired.test(suffix)) return undefined;
  return ownName(table, suffix);
}

/** Indexes from versions before ADR 21, on texts of any length. */
const isRetired = /^name$|_text$|_text_values$/;

async function columnStatements(
  client: ClientBase,
  schema: string,
  models: readonly EntityModel[],
): Promise<readonly string[]> {
  const renamed = models.flatMap((model) =>
    longColumns(model).map((column) => ({ model, ...column })),
  );
  if (renamed.length === 0) return [];
  const { rows } = await client.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns where table_schema = $1`,
    [schema],
  );
  const present = new Set(rows.map(({ place }) => place));
  return renamed.flatMap(({ model, from, to }) => {
    const table = tableName(model.name);
    if (!present.has(`${table}.${from}`) || present.has(`${table}.${to}`)) return [];
    return [
      `alter table ${quotedTable(schema, model.name)} rename column ${quoteName(from)} to ${quoteName(to)}`,
    ];
  });
}

function longColumns(model: EntityModel) {
  const folded = foldedColumns(model).map(({ attribute, name }) => ({
    from: formerName(`${formerName(toSnakeCase(attribute.name))}$folded`),
    to: name,
  }));
  const own = model.columns.map(({ name }) => ({
    from: formerName(toSnakeCase(name)),
    to: columnName(name),
  }));
  return [...own, ...folded].filter(({ from, to }) => from.length >= MAX_NAME && from !== to);
}

const MAX_NAME = 63;

/** Shortens a name as versions before ADR 41 did. */
function formerName(name: string): string {
  if (name.length <= MAX_NAME) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, MAX_NAME - hash.length - 1)}_${hash}`;
}
