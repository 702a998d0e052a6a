import type { ClientBase } from 'pg';
import type { DatabaseSettings } from '../config/database-url.ts';
import type { SearchSettings } from '../config/search-settings.ts';
import { orUnavailable, sqlStateOf } from '../db/outage-of.ts';
import { createPool, measurePool, type Queryable } from '../db/pool.ts';
import { limitConcurrency } from '../runtime/limit-concurrency.ts';
import { closeLast, type Opening, tooSlow } from './open-search-pool.ts';
import { SearchTurns } from './search-turns.ts';

/**
 * Runs work whose statements all see the same snapshot of the database. Waits for the user's turn; throws Unavailable if
 * the wait times out.
 */
export type InSnapshot = <Result>(
  user: { readonly id: string },
  work: (snapshot: Queryable) => Promise<Result>,
) => Promise<Result>;

/**
 * Each snapshot occupies a connection for seconds, so most connections are kept for searches and other requests. A user
 * gets one snapshot at a time.
 */
const MAX_SNAPSHOTS = 2;
const MAX_WAIT_MS = 30_000;

export function openSnapshots(
  { statements, search }: DatabaseSettings & { readonly search: SearchSettings },
  { lifecycle, metrics, log }: Opening,
): InSnapshot {
  const pool = createPool({
    ...statements,
    applicationName: 'annals-export',
    poolSize: MAX_SNAPSHOTS,
    statementTimeoutMs: search.timeoutMs,
    isForSearches: true,
  });
  closeLast(pool, 'database for exports', { lifecycle, log });
  const turns = new SearchTurns({
    capacity: MAX_SNAPSHOTS,
    maxWaitMs: MAX_WAIT_MS,
    slowAfterMs: Number.POSITIVE_INFINITY,
    now: () => performance.now(),
  });
  measurePool(metrics, 'exports', () => ({
    idleCount: pool.idleCount,
    totalCount: pool.totalCount,
    waitingCount: turns.waitingCount,
  }));
  return async ({ id }, work) => {
    const end = await turns.take(id);
    try {
      const client = await orUnavailable(pool.connect());
      // Ignored here: the next statement on a lost connection reports the error.
      client.on('error', ignore);
      try {
        await orUnavailable(client.query('begin isolation level repeatable read read only'));
        return await work(statementsOf(client));
      } finally {
        const failed = await client.query('rollback').then(
          () => false,
          () => true,
        );
        client.off('error', ignore);
        client.release(failed);
      }
    } finally {
      end();
    }
  };
}

const ignore = (): void => undefined;

/**
 * Runs statements one at a time, because they share a connection. Statements have no names, because re-preparing a
 * prepared statement would abort the transaction.
 */
function statementsOf(client: ClientBase): Queryable {
  const inTurn = limitConcurrency(1);
  return {
    async query({ name: _, ...statement }) {
      try {
        return await inTurn(async () => client.query(statement));
      } catch (error) {
        throw sqlStateOf(error) === '57014' ? tooSlow() : error;
      }
    },
  };
}
