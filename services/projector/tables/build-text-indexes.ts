import type { Client, ClientBase } from 'pg';
import { findTables } from '../../../shared/db/find-tables.ts';
import { sqlStateOf } from '../../../shared/db/outage-of.ts';
import { searchedText } from '../../../shared/db/sql/folded-text.ts';
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

/** The key of an advisory lock, an arbitrary number: only one process at a time builds text indexes. */
export const BUILD_LOCK = 0x74657874;
/**
 * Limit of an index's pending list, in kB. The more entries are merged together, the cheaper each is, and the writer
 * that reaches the limit merges them all. The limit is therefore more than the list can grow between two calls of
 * sortTextIndexes.
 */
const PENDING_KB = 64 * 1024;
/** With this number of records, a full scan takes a tenth of a second, which is too long even for the first search. */
export const MANY_RECORDS = 100_000;
/** SQLSTATEs for an extension that is unavailable, or that this user may not create. */
const lacking: ReadonlySet<string> = new Set(['0A000', '58P01', '42501']);

/**
 * Builds missing trigram indexes, which find text in the middle of a value, in the live read model. A million records
 * take half a minute, which is too long to block a projector or a rebuild, so the build does not block writes. Until it
 * is done, such searches are slow. An index adds a fifth to Postgres's work for each write, so it is built only for
 * entity types that are in `searched`, already have an index, or have many records (ADR 23). Returns these types;
 * undefined if Postgres lacks pg_trgm.
 */
export async function buildTextIndexes(
  client: Client,
  models: readonly EntityModel[],
  searched: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  if (!(await tryLock(client, BUILD_LOCK))) return [];
  try {
    const operators = await provideOperators(client);
    if (operators === undefined) return undefined;
    const present = await presentIndexes(client);
    const indexed = new Set([...present.indexes.values()].map(({ table }) => table));
    const found = models.filter(
      ({ name }) =>
        present.tables.has(tableName(name)) &&
        (searched.has(name) || indexed.has(tableName(name)) || present.large.has(name)),
    );
    const wanted = wantedIndexes(found);
    for (const [name, { isValid }] of present.indexes) {
      // Postgres does not use an unfinished index, but still maintains it.
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

/** Merges the pending lists of the indexes of these entity types. Does not block writes. */
export async function sortTextIndexes(
  client: Client,
  models: readonly EntityModel[],
): Promise<void> {
  for (const name of wantedIndexes(models).keys()) {
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
 * outside of the read model. Returns undefined if that is not possible.
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

async function presentIndexes(client: Client) {
  const tables = await findTables(client, liveSchema);
  const { rows } = await client.query<{ name: string; table: string; isValid: boolean }>(
    `select c.relname as name, t.relname as table, i.indisvalid as "isValid"
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     join pg_namespace n on n.oid = c.relnamespace
     join pg_opclass o on o.oid = i.indclass[0]
     where n.nspname = $1 and o.opcname = 'gin_trgm_ops'`,
    [liveSchema],
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
