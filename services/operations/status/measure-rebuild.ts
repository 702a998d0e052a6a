import type { Client } from 'pg';
import { loadPositionsSoFar } from '../../../shared/db/positions.ts';
import { rebuildLock, rebuildSchema } from '../../../shared/db/tables/read-model-names.ts';

/** A rebuild of the tables beside those that serve. */
export interface Rebuild {
  /** False for one that was ended before it was done: the next goes on with it. */
  readonly isRunning: boolean;
  /** Entries of the log that it has taken. With all of them it makes indexes, and is put in place. */
  readonly taken: number;
  readonly entries: number;
}

/** How far a rebuild is; null if there is none. `entries` is how many the log has. */
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
