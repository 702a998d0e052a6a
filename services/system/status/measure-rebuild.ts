import type { Client } from 'pg';
import { loadPositionsSoFar } from '../../../shared/db/positions.ts';
import { rebuildLock, rebuildSchema } from '../../../shared/db/tables/read-model-names.ts';

/** A rebuild of the read model next to the live one. */
export interface Rebuild {
  /** False for an interrupted rebuild, which the next one resumes. */
  readonly isRunning: boolean;
  /** Log entries that it has read. Once it has read all, it creates indexes and replaces the live read model. */
  readonly taken: number;
  readonly entries: number;
}

/** Measures the progress of a rebuild; null without one. `entries` is the number of entries in the log. */
export async function measureRebuild(client: Client, entries: number): Promise<Rebuild | null> {
  const positions = await loadPositionsSoFar(client, rebuildSchema);
  if (positions.length === 0) return null;
  const { rowCount } = await client.query(
    `select 1 from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and granted
     and database = (select oid from pg_database where datname = current_database())`,
    [rebuildLock],
  );
  const taken = positions.reduce((sum, { offset }) => sum + Number(offset), 0);
  return { isRunning: rowCount !== 0, taken: Math.min(taken, entries), entries };
}
