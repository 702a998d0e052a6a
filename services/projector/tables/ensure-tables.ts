import type { Knex } from 'knex';
import type { ClientBase } from 'pg';
import { findDamage, ReadModelDamaged } from '../../../shared/db/find-damage.ts';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import { loadUnfitTypes, quarantineChannel } from '../../../shared/db/quarantine.ts';
import { isRefusedDefinition, reasonOf } from '../../../shared/db/refused-by-tables.ts';
import { createFoldFunctions, foldedColumns } from '../../../shared/db/sql/folded-text.ts';
import { createWordFunctions } from '../../../shared/db/sql/searched-words.ts';
import {
  columnName,
  columnTypes,
  keyColumns,
  liveSchema,
  ownName,
  quotedTable,
  quoteName,
  tableName,
} from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { interruptTextIndexes } from './build-text-indexes.ts';
import { emptyText } from './column-text.ts';
import { indexStatements, wordIndexStatements } from './index-statements.ts';
import { firstTables, laterTables } from './own-tables.ts';
import { foldedType, refoldColumns } from './refold-columns.ts';
import { renameRelations } from './rename-relations.ts';

/** The key of an advisory lock, an arbitrary number: only one process at a time changes tables. */
const TABLES_LOCK = 0x616e6e61;

/**
 * Inserts leave free space in each page for later versions of its rows. An update within the page that changes no
 * indexed column needs no index updates (HOT), which reduces its cost to between a third and a fifth.
 */
const FILL_PERCENT = 80;

export interface WantedTables {
  readonly schema: string;
  readonly models: readonly EntityModel[];
  /** Whether to create the indexes for queries. A rebuild fills the tables first. */
  readonly isIndexed: boolean;
  /** Entity types whose indexes are created even if `isIndexed` is false. */
  readonly indexed?: ReadonlySet<string>;
}

/**
 * Creates the missing tables of a schema of the read model: the read model's own tables, and a table with typed columns
 * for each entity type. Columns are added for new fields and never dropped, since a removed field may come back. Throws
 * ReadModelDamaged rather than replace a table that had rows with an empty one.
 *
 * Returns the entity types whose definition Postgres rejects, with the reason. The others are not affected.
 */
export async function ensureTables(
  client: ClientBase,
  wanted: WantedTables,
): Promise<ReadonlyMap<string, string>> {
  const { schema, models } = wanted;
  const unfit = new Map<string, string>();
  await client.query('select pg_advisory_lock($1)', [TABLES_LOCK]);
  try {
    await renameRelations(client, schema, models);
    const existing = await existingColumns(client, schema);
    if (existing.size === 0) await client.query(firstTables(schema));
    else await refuseDamage(client, schema, models);
    const present = await ensureOwnTables(client, schema, models);
    for (const model of models) {
      const fitting = await tableStatements(schema, { model, existing });
      const statements = [
        ...fitting,
        ...(hasIndexes(wanted, model) ? missingIndexes(schema, model, { existing, present }) : []),
      ];
      if (statements.length === 0) continue;
      if (existing.has(tableName(model.name))) await interruptTextIndexes(client);
      const refused = await executeAll(client, statements);
      if (refused !== undefined) unfit.set(model.name, refused);
    }
    await replaceUnfitTypes(client, schema, unfit);
    return unfit;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [TABLES_LOCK]).catch(() => undefined);
  }
}

function missingIndexes(
  schema: string,
  model: EntityModel,
  { existing, present }: { existing: ExistingTables; present: ReadonlySet<string> },
): readonly string[] {
  const statements = indexStatements(schema, model, present);
  // Creating this index on a live table, which may have rows, would block writes for too long: see buildTextIndexes.
  const isBuiltLater = schema === liveSchema && existing.has(tableName(model.name));
  return isBuiltLater
    ? statements
    : [...statements, ...wordIndexStatements(schema, model, present)];
}

function hasIndexes({ isIndexed, indexed }: WantedTables, { name }: EntityModel): boolean {
  return isIndexed || indexed?.has(name) === true;
}

/** Creates the read model's own tables. Returns the same names as presentIndexes. */
async function ensureOwnTables(
  client: ClientBase,
  schema: string,
  models: readonly EntityModel[],
): Promise<ReadonlySet<string>> {
  await client.query(laterTables(schema));
  const version = await postgresVersion(client);
  await client.query(createFoldFunctions(schema, version));
  await client.query(createWordFunctions(schema));
  await refoldColumns(client, { schema, models, version });
  const present = await presentIndexes(client, schema);
  for (const [name, statements] of historyIndexes(schema)) {
    if (present.has(name)) continue;
    // Each in its own transaction: the exclusive lock that the first takes must not be held while the second builds an
    // index.
    for (const statement of statements) await client.query(statement);
  }
  return present;
}

/**
 * Executes the statements of one table in a transaction. Altering several tables in one transaction could deadlock with
 * a query that reads two of them. Returns the reason if Postgres rejects the definition.
 */
async function executeAll(
  client: ClientBase,
  statements: readonly string[],
): Promise<string | undefined> {
  try {
    await inTransaction(client, async () => {
      for (const sql of statements) await client.query(sql);
    });
    return undefined;
  } catch (error) {
    if (isRefusedDefinition(error)) return reasonOf(error);
    throw error;
  }
}

/** Replaces the list of unfit types, and schedules a retry for the records of types that are no longer in it. */
async function replaceUnfitTypes(
  client: ClientBase,
  schema: string,
  unfit: ReadonlyMap<string, string>,
): Promise<void> {
  const before = await loadUnfitTypes(client, schema);
  if (before.size === 0 && unfit.size === 0) return;
  const name = quoteName(schema);
  const fit = [...before.keys()].filter((type) => !unfit.has(type));
  await inTransaction(client, async () => {
    await client.query(`delete from ${name}.unfit_types`);
    await client.query(
      `insert into ${name}.unfit_types select * from unnest($1::text[], $2::text[])`,
      [[...unfit.keys()], [...unfit.values()]],
    );
    await client.query(
      `update ${name}.rejected_entries set retry = true where record_id is not null and entity_type = any($1)`,
      [fit],
    );
    await client.query('select pg_notify($1, $2)', [quarantineChannel, JSON.stringify('reload')]);
  });
}

/** Throws ReadModelDamaged if tables are missing. */
export async function refuseDamage(
  client: ClientBase,
  schema: string,
  models: readonly EntityModel[],
): Promise<void> {
  const missing = await findDamage(client, schema, models);
  if (missing.length > 0) throw new ReadModelDamaged(missing);
}

/**
 * Knex makes up a third of the modules of a projector and of operators' commands, so it is loaded only to create or
 * alter a table.
 */
async function loadBuilder(): Promise<Knex> {
  const { default: knex } = await import('knex');
  return knex({ client: 'pg' });
}

async function postgresVersion(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int / 10000 as version",
  );
  return rows[0]?.version ?? 0;
}

async function tableStatements(
  schema: string,
  { model, existing }: { model: EntityModel; existing: ExistingTables },
): Promise<readonly string[]> {
  const table = tableName(model.name);
  const columns = columnsOf(schema, model);
  const present = existing.get(table);
  if (present === undefined) {
    const builder = await loadBuilder();
    const create = builder.schema.withSchema(schema).createTable(table, (built) => {
      for (const { name, kind } of keyColumns) {
        built.specificType(name, columnTypes[kind]).notNullable();
      }
      for (const column of columns) define(built, column);
      built.primary(['id'], { constraintName: ownName(table, 'pkey') });
    });
    const spare = `alter table ${quotedTable(schema, model.name)} set (fillfactor = ${FILL_PERCENT})`;
    return [create.toString(), spare];
  }
  const added = columns.filter(({ name }) => !present.has(name));
  const defaults = missingDefaults(columns, present);
  return [
    ...(added.length === 0 ? [] : [await addColumns(schema, table, added)]),
    ...(defaults.length === 0
      ? []
      : [`alter table ${quotedTable(schema, model.name)} ${defaults.join(', ')}`]),
  ];
}

async function addColumns(
  schema: string,
  table: string,
  added: readonly Column[],
): Promise<string> {
  const builder = await loadBuilder();
  const alter = builder.schema.withSchema(schema).alterTable(table, (altered) => {
    for (const column of added) define(altered, column);
  });
  return alter.toString();
}

/** For columns from versions before ADR 22, when events listed empty values. */
function missingDefaults(columns: readonly Column[], present: ExistingColumns): readonly string[] {
  return columns
    .filter(({ name, empty }) => empty !== null && present.get(name) === false)
    .map(({ name, empty }) => `alter column ${quoteName(name)} set default '${empty}'`);
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** The column's default, as text. */
  readonly empty: string | null;
}

function columnsOf(schema: string, model: EntityModel): readonly Column[] {
  return [
    ...model.columns.map((attribute) => ({
      name: columnName(attribute.name),
      type: columnTypes[attribute.kind],
      empty: emptyText(attribute),
    })),
    ...foldedColumns(model).map(({ name, expression }) => ({
      name,
      type: foldedType(expression(schema)),
      empty: null,
    })),
  ];
}

function define(table: Knex.CreateTableBuilder, { name, type, empty }: Column): void {
  const column = table.specificType(name, type);
  if (empty !== null) column.defaultTo(empty);
}

/** Columns by name, and whether they have a default. */
type ExistingColumns = ReadonlyMap<string, boolean>;
/** Tables by name. */
type ExistingTables = ReadonlyMap<string, ExistingColumns>;

async function existingColumns(client: ClientBase, schema: string): Promise<ExistingTables> {
  const { rows } = await client.query<{ table: string; column: string; hasDefault: boolean }>(
    `select table_name as "table", column_name as "column", column_default is not null as "hasDefault"
     from information_schema.columns where table_schema = $1`,
    [schema],
  );
  const tables = new Map<string, Map<string, boolean>>();
  for (const { table, column, hasDefault } of rows) {
    tables.set(table, (tables.get(table) ?? new Map()).set(column, hasDefault));
  }
  return tables;
}

/** Returns the names of the schema's indexes and extended statistics. */
async function presentIndexes(client: ClientBase, schema: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select indexname as name from pg_indexes where schemaname = $1
     union all
     select stxname from pg_statistic_ext
     join pg_namespace on pg_namespace.oid = stxnamespace where nspname = $1`,
    [schema],
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Returns the statements that create the indexes of the history, by index. They are executed only if the index is
 * missing, because a statement that alters this table, the largest one, waits for a vacuum of it.
 */
function historyIndexes(schema: string): readonly (readonly [string, readonly string[]])[] {
  const [command, time, actor, trace] = [
    ownName('record_history', 'command'),
    ownName('record_history', 'at_ms'),
    ownName('record_history', 'actor'),
    ownName('record_history', 'trace'),
  ];
  const table = `${quoteName(schema)}.record_history`;
  return [
    [
      command,
      [`create index ${quoteName(command)} on ${table} (command_id) where command_id is not null`],
    ],
    // A block range index, because rows arrive almost in time order: it adds nearly nothing to the cost of a write.
    [
      time,
      [
        `alter table ${table} add column if not exists at_ms bigint`,
        `create index ${quoteName(time)} on ${table} using brin (at_ms) with (autosummarize = on)`,
      ],
    ],
    // For the newest changes by a user.
    [
      actor,
      [
        `alter table ${table} add column if not exists actor_id text`,
        `create index ${quoteName(actor)} on ${table} (actor_id, at_ms) where actor_id is not null`,
      ],
    ],
    // The events of a request.
    [
      trace,
      [
        `alter table ${table} add column if not exists trace_id bytea`,
        `create index ${quoteName(trace)} on ${table} (trace_id) where trace_id is not null`,
      ],
    ],
  ];
}
