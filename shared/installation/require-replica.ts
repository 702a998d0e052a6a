import type { Queryable } from '../db/pool.ts';
import { Unavailable } from '../domain/errors.ts';
import type { Mark } from './mark.ts';
import { readMark } from './mark-table.ts';

/** Identifies the Postgres server and database at an address. */
interface ServedDatabase {
  /** Generated when the server's files are created. A streaming replica has the same value as its primary. */
  readonly system: string;
  readonly database: string;
  readonly isReplica: boolean;
  readonly mark: Mark | undefined;
}

export async function readServed(database: Queryable): Promise<ServedDatabase> {
  const text = `select system_identifier::text as system, current_database() as database,
    pg_is_in_recovery() as "isReplica" from pg_control_system()`;
  const { rows } = await database.query<Omit<ServedDatabase, 'mark'>>({ text, values: [] });
  const [served] = rows;
  if (served === undefined) throw new Error('the query for the system identifier returned no row');
  return { ...served, mark: await readMark(database) };
}

/**
 * Throws Unavailable if the server for reads does not replicate the primary. Positions alone cannot reveal another
 * installation, because topics and partitions have the same names everywhere.
 */
export function requireReplica(served: ServedDatabase, primary: ServedDatabase): void {
  const fault = findFault(served, primary);
  if (fault === undefined) return;
  throw new Unavailable(`DATABASE_READ_URL does not point to a replica of Postgres: ${fault}`, {
    remedy: 'correct DATABASE_READ_URL, recreate the replica, or remove the setting',
  });
}

function findFault(served: ServedDatabase, primary: ServedDatabase): string | undefined {
  if (served.system !== primary.system) return 'it is a copy of a different server';
  if (!served.isReplica) return 'it accepts writes';
  if (served.database !== primary.database) {
    return `its database is ${served.database}, not ${primary.database}`;
  }
  const { mark } = served;
  const isSame =
    mark?.installationId === primary.mark?.installationId &&
    mark?.generation === primary.mark?.generation;
  return isSame ? undefined : 'it contains the log of a different installation';
}
