import type { Queryable } from '../db/pool.ts';
import { Unavailable } from '../domain/errors.ts';
import type { Mark } from './mark.ts';
import { readMark } from './mark-table.ts';

/** What a server of Postgres shows at an address. */
export interface ServedDatabase {
  /** Made at random with the files of a server; streaming replicas have that of their primary. */
  readonly system: string;
  readonly database: string;
  readonly isReplica: boolean;
  readonly mark: Pick<Mark, 'installationId' | 'generation'> | undefined;
}

export async function readServed(database: Queryable): Promise<ServedDatabase> {
  const text = `select system_identifier::text as system, current_database() as database,
    pg_is_in_recovery() as "isReplica" from pg_control_system()`;
  const { rows } = await database.query<Omit<ServedDatabase, 'mark'>>({ text, values: [] });
  const [served] = rows;
  if (served === undefined) throw new Error('a statement without a row');
  return { ...served, mark: await readMark(database) };
}

/**
 * Throws Unavailable if what is to answer reads does not follow the primary. How far another one is says nothing: topics and
 * partitions have the same names everywhere.
 */
export function requireReplica(served: ServedDatabase, primary: ServedDatabase): void {
  const fault = findFault(served, primary);
  if (fault === undefined) return;
  throw new Unavailable(`what DATABASE_READ_URL names is no replica of Postgres: ${fault}`, {
    remedy: 'correct DATABASE_READ_URL, or make the replica anew; without one remove it',
  });
}

function findFault(served: ServedDatabase, primary: ServedDatabase): string | undefined {
  if (served.system !== primary.system) return 'it is of another server';
  if (!served.isReplica) return 'it takes writes of its own';
  if (served.database !== primary.database) {
    return `it is the database ${served.database}, not ${primary.database}`;
  }
  const { mark } = served;
  const isSame =
    mark?.installationId === primary.mark?.installationId &&
    mark?.generation === primary.mark?.generation;
  return isSame ? undefined : 'it shows another log than that of this installation';
}
