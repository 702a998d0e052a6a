import type { Client, ClientBase } from 'pg';
import { findTables } from '../../../shared/db/find-tables.ts';
import { sqlStateOf } from '../../../shared/db/outage-of.ts';
import { searchedText } from '../../../shared/db/sql/folded-text.ts';
import { wordIndexOf } from '../../../shared/db/sql/searched-words.ts';
import {
  liveSchema,
  liveTable,
  ownName,
  quoteName,
  shortHash,
  tableName,
} from '../../../shared/db/tables/read-model-names.ts';
import { tryLock } from '../../../shared/db/try-lock.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { PENDING_KB, wordIndexMethod } from './index-statements.ts';

/** The key of an advisory lock, an arbitrary number: only one process at a time builds text indexes. */
export const BUILD_LOCK = 0x74657874;
/** With this number of records, a full scan takes a tenth of a second, which is too long even for the first search. */
export const MANY_RECORDS = 100_000;
/** SQLSTATEs for an extension that is unavailable, or that this user may not create. */
const lacking: ReadonlySet<string> = new Set(['0A000', '58P01', '42501']);

/** SQLSTATEs if a table or its new columns do not exist yet: the projector is about to create them. */
const premature: ReadonlySet<string> = new Set(['42703', '42883', '42P01']);

/**
 * Builds missing indexes on words and trigram indexes in the live read model. Indexing a million records takes half a
 * minute. Neither a projector nor a rebuild can wait that long, so the build does not block writes. Until it is done,
 * searches compare the beginnings of fields, and searches in the middle of a value are slow. An index on words exists
 * for every entity type. A trigram index adds a fifth to Postgres's work for each write, so it is built only for entity
 * types that are in `searched`, already have an index, or have many records (ADR 23). Returns these types; undefined if
 * Postgres lacks pg_trgm.
 */
export async function buildTextIndexes(
  client: Client,
  models: readonly EntityModel[],
  searched: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  if (!(await tryLock(client, BUILD_LOCK))) return [];
  try {
    await buildWordIndexes(client, models);
    const operators = await provideOperators(client);
    if (operators === undefined) return undefined;
    const present = await presentIndexes(client, 'gin_trgm_ops');
    const indexed = new Set([...present.indexes.values()].map(({ table }) => table));
    const found = models.filter(
      ({ name }) =>
        present.tables.has(tableName(name)) &&
        (searched.has(name) || indexed.has(tableName(name)) || present.large.has(name)),
    );
    const wanted = wantedIndexes(found);
    for (const [name, { isValid }] of present.indexes) {
      // Postgres does not use an unfinished index, but still updates it on every write.
      if (!isValid || !wanted.has(name))
        await client.query(`drop index concurrently if exists ${inLive(name)}`);
    }
    for (const [name, { table, expression }] of wanted) {
      if (present.indexes.get(name)?.isValid === true) continue;
      await client.query(
        `create index concurrently ${quoteName(name)} on ${table} using gin ((${expression}) ${operators})` +
          ` with (gin_pending_list_limit = ${PENDING_KB}) where not deleted`,
      );
      // For a table that was filled or rewritten, Postgres has neither statistics nor a visibility map.
      await client.query(`vacuum (analyze) ${table}`);
    }
    return [...wanted.values()].map(({ entityType }) => entityType);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [BUILD_LOCK]).catch(() => undefined);
  }
}

async function buildWordIndexes(client: Client, models: readonly EntityModel[]): Promise<void> {
  const { tables, indexes } = await presentIndexes(client, 'tsvector_ops');
  const wanted = new Map(
    models.flatMap((model) => {
      const index = tables.has(tableName(model.name)) ? wordIndexOf(model) : undefined;
      return index === undefined ? [] : [[index.name, { model, index }] as const];
    }),
  );
  const missing = [...wanted].filter(([name]) => indexes.get(name)?.isValid !== true);
  for (const [name, { model, index }] of missing) {
    await client.query(`drop index concurrently if exists ${inLive(name)}`);
    const table = liveTable(model.name);
    await createOncePossible(
      client,
      `create index concurrently ${quoteName(name)} on ${table} ${wordIndexMethod(index)}`,
    );
  }
  const obsolete = [...indexes.keys()].filter((name) => !wanted.has(name));
  for (const name of obsolete) {
    await client.query(`drop index concurrently if exists ${inLive(name)}`);
  }
}

async function createOncePossible(client: Client, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    if (!premature.has(sqlStateOf(error) ?? '')) throw error;
  }
}

/** Merges the pending lists of the indexes of these entity types. Does not block writes. */
export async function sortTextIndexes(
  client: Client,
  models: readonly EntityModel[],
): Promise<void> {
  const names = models.flatMap((model) => wordIndexOf(model)?.name ?? []);
  for (const name of [...names, ...wantedIndexes(models).keys()]) {
    await client.query(
      'select gin_clean_pending_list(found) from to_regclass($1) found where found is not null',
      [inLive(name)],
    );
  }
}

/**
 * Cancels an index build in another process. Otherwise an alteration of the table would wait for the build, and all
 * readers would wait for the alteration. The builder retries later.
 */
export async function interruptTextIndexes(client: ClientBase): Promise<void> {
  await client.query(
    `select pg_cancel_backend(pid) from pg_locks
     where locktype = 'advisory' and classid = 0 and objid = $1 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [BUILD_LOCK],
  );
}

/**
 * Returns the operator class of trigrams with the schema of the extension. Creates a missing extension in `public`,
 * outside the read model. Returns undefined if that is not possible.
 */
async function provideOperators(client: Client): Promise<string | undefined> {
  try {
    await client.query('create extension if not exists pg_trgm with schema public');
  } catch (error) {
    if (lacking.has(sqlStateOf(error))) return undefined;
    throw error;
  }
  const { rows } = await client.query<{ schema: string }>(
    "select n.nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm'",
  );
  const [found] = rows;
  return found && `${quoteName(found.schema)}.gin_trgm_ops`;
}

async function presentIndexes(client: Client, operators: 'gin_trgm_ops' | 'tsvector_ops') {
  const tables = await findTables(client, liveSchema);
  const { rows } = await client.query<{ name: string; table: string; isValid: boolean }>(
    `select c.relname as name, t.relname as table, i.indisvalid as "isValid"
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     join pg_namespace n on n.oid = c.relnamespace
     join pg_opclass o on o.oid = i.indclass[0]
     where n.nspname = $1 and o.opcname = $2 and c.relam = (select oid from pg_am where amname = 'gin')`,
    [liveSchema, operators],
  );
  const large = tables.has('entity_counts') ? await largeTypes(client) : [];
  const indexes = new Map(rows.map((index) => [index.name, index]));
  return { tables, indexes, large: new Set(large) };
}

async function largeTypes(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select entity_type as name from ${inLive('entity_counts')}
     group by entity_type having sum(live) >= $1`,
    [MANY_RECORDS],
  );
  return rows.map(({ name }) => name);
}

/** The names contain a hash of the expression, because changed definitions change the searched fields. */
function wantedIndexes(models: readonly EntityModel[]) {
  return new Map(
    models.flatMap((model) => {
      const expression = searchedText(model, '');
      // Entity types of the directory, such as users and teams, have few records.
      if (expression === undefined || model.definition.log === 'directory') return [];
      const hash = shortHash(`${model.name} ${expression}`);
      const name = ownName(tableName(model.name), `inside_${hash}`);
      const table = liveTable(model.name);
      return [[name, { entityType: model.name, table, expression }] as const];
    }),
  );
}

function inLive(relation: string): string {
  return `${quoteName(liveSchema)}.${quoteName(relation)}`;
}
