import type { Queryable } from '../db/pool.ts';
import { wordsSignature } from '../db/sql/searched-words.ts';
import { liveSchema } from '../db/tables/read-model-names.ts';

/** Returns the names of usable word indexes, and the signature of their function if the function exists. */
export type FindWordIndexes = () => Promise<ReadonlySet<string>>;

/** Projectors build an index within seconds or minutes after an upgrade or a change to a definition. */
const KNOWN_FOR_MS = 15_000;

/** Caches the names for a short time. */
export function createFindWordIndexes(pool: Queryable): FindWordIndexes {
  let known: Promise<ReadonlySet<string>> | undefined;
  let knownAt = 0;
  return async () => {
    if (known !== undefined && Date.now() - knownAt < KNOWN_FOR_MS) return known;
    knownAt = Date.now();
    const loading = loadWordIndexes(pool);
    known = loading;
    try {
      return await loading;
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
}

export async function loadWordIndexes(pool: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string }>({
    text: `select c.relname::text as name from pg_index i
      join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relname like '%$words\\_%' and i.indisvalid
      union all select $2::text where to_regprocedure($2::text) is not null`,
    values: [liveSchema, wordsSignature],
  });
  return new Set(rows.map(({ name }) => name));
}
