import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Queryable } from '../../../shared/db/pool.ts';
import { runForValues, type Statement } from '../../../shared/search/run-statement.ts';

type Rows = readonly (readonly unknown[])[];

/**
 * Runs equal reads of one turn of the event loop as one statement: users with the same permissions who open the same
 * list at the same time get the same rows. A statement is never shared after it was sent, because a later reader may
 * have waited for a newer write. Callers share the rows and must not modify them.
 */
export function createShareRead(pool: Queryable) {
  const open = new Map<string, Promise<Rows>>();

  return (statement: Statement, values: readonly unknown[]): Promise<Rows> => {
    const key = `${statement.name ?? statement.text} ${JSON.stringify(values)}`;
    const shared = open.get(key);
    if (shared !== undefined) return shared;
    // Runs after all requests that have already arrived are read.
    const rows = endOfTurn().then(() => {
      open.delete(key);
      return runForValues(pool, statement, [...values]);
    });
    open.set(key, rows);
    return rows;
  };
}
