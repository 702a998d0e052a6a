import type { Client, ClientBase } from 'pg';
import { sqlStateOf } from '../../../shared/db/outage-of.ts';
import {
  liveSchema,
  quotedTable,
  quoteName,
  shortHash,
  tableName,
} from '../../../shared/db/read-model-names.ts';
import { searchedText } from '../../../shared/db/searched-text.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';

/** Arbitrary, the same for all: one process builds them. */
export const BUILD_LOCK = 0x74657874;
/**
 * So many kilobytes of new entries may wait to be sorted in. The more at once the cheaper, and whoever writes the last
 * of them sorts them all: so it takes more than come between two calls of sortTextIndexes.
 */
const PENDING_KB = 64 * 1024;
/** So many records of a type take a tenth of a second to go through, which is too long even for the first who searches. */
export const MANY_RECORDS = 100_000;
const mark = '_inside_';
/** SQLSTATE where there is no such extension, or where only others may create it. */
const lacking: ReadonlySet<string> = new Set(['0A000', '58P01', '42501']);

/**
 * Builds what is missing of the indexes that find a text by its middle, in the live read model and without a lock that
 * writes would wait for: an index of a million records takes half a minute, which neither a projector nor a rebuild has.
 * Until then such searches are answered slowly. Since one costs each write a fifth of what Postgres does for it, only
 * entity types have one that are among `searched`, had one already, or have many records (ADR 23). Answers these types;
 * undefined where Postgres has no pg_trgm.
 */
export async function buildTextIndexes(
  client: Client,
  models: readonly EntityModel[],
  searched: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  if (!(await lock(client))) return [];
  try {
    const operators = await provideOperators(client);
    if (operators === undefined) return undefined;
    const present = await presentIndexes(client);
    const indexed = new Set(present.indexes.map(({ table }) => table));
    const found = models.filter(
      ({ name }) =>
        present.tables.has(tableName(name)) &&
        (searched.has(name) || indexed.has(tableName(name)) || present.large.has(name)),
    );
    const wanted = wantedIndexes(found);
    for (const { name, isValid } of present.indexes) {
      // One that was not finished is never used, but kept up.
      if (!isValid || !wanted.has(name))
        await client.query(`drop index concurrently if exists ${inLive(name)}`);
    }
    const finished = new Set(
      present.indexes.filter(({ isValid }) => isValid).map(({ name }) => name),
    );
    for (const [name, { table, expression }] of wanted) {
      if (finished.has(name)) continue;
      await client.query(
        `create index concurrently ${quoteName(name)} on ${table} using gin ((${expression}) ${operators})` +
          ` with (gin_pending_list_limit = ${PENDING_KB}) where not deleted`,
      );
      // Of a table that was filled or written anew, Postgres knows no values, and nothing that it may read from an index alone.
      await client.query(`vacuum (analyze) ${table}`);
    }
    return [...wanted.values()].map(({ entityType }) => entityType);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [BUILD_LOCK]).catch(() => undefined);
  }
}

/** Sorts in what waits in these entity types' indexes. Writes go on meanwhile. */
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
 * Ends what another process builds now: a table that gets a column would wait for it, and all readers of the table with
 * it. The one that builds tries again a while later.
 */
export async function interruptTextIndexes(client: ClientBase): Promise<void> {
  await client.query(
    `select pg_cancel_backend(pid) from pg_locks
     where locktype = 'advisory' and classid = 0 and objid = $1 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [BUILD_LOCK],
  );
}

async function lock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ isOurs: boolean }>(
    'select pg_try_advisory_lock($1) as "isOurs"',
    [BUILD_LOCK],
  );
  return rows[0]?.isOurs === true;
}

/** The operator class of trigrams, wherever the extension lives; outside of the read model if we put it there. */
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
  const tables = await client.query<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = $1',
    [liveSchema],
  );
  const { rows: indexes } = await client.query<{ name: string; table: string; isValid: boolean }>(
    `select c.relname as name, t.relname as table, i.indisvalid as "isValid"
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and strpos(c.relname, $2) > 0`,
    [liveSchema, mark],
  );
  const tableNames = new Set(tables.rows.map(({ name }) => name));
  const large = tableNames.has('entity_counts') ? await largeTypes(client) : [];
  return { tables: tableNames, indexes, large: new Set(large) };
}

async function largeTypes(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select entity_type as name from ${inLive('entity_counts')}
     group by entity_type having sum(live) >= $1`,
    [MANY_RECORDS],
  );
  return rows.map(({ name }) => name);
}

interface WantedIndex {
  readonly entityType: string;
  readonly table: string;
  readonly expression: string;
}

/** By names that tell one expression from another: fields come to be searched as definitions change. */
function wantedIndexes(models: readonly EntityModel[]): ReadonlyMap<string, WantedIndex> {
  return new Map(
    models.flatMap((model) => {
      const expression = searchedText(model, '');
      // Of users, teams and the like there are few.
      if (expression === undefined || model.definition.log === 'directory') return [];
      const hash = shortHash(`${model.name} ${expression}`);
      // Names of Postgres end after 63 characters.
      const name = `${tableName(model.name).slice(0, 40)}${mark}${hash}`;
      const table = quotedTable(liveSchema, model.name);
      return [[name, { entityType: model.name, table, expression }] as const];
    }),
  );
}

function inLive(relation: string): string {
  return `${quoteName(liveSchema)}.${quoteName(relation)}`;
}
