import type { ClientBase } from 'pg';
import type { DatabaseSettings } from '../config/database-url.ts';
import type { SearchSettings } from '../config/search-settings.ts';
import { measurePool } from '../db/measure-pool.ts';
import { orUnavailable, sqlStateOf } from '../db/outage-of.ts';
import { createPool, type Queryable } from '../db/pool.ts';
import type { Actor } from '../domain/access/actor.ts';
import { limitConcurrency } from '../runtime/limit-concurrency.ts';
import { closeLast, type Opening, tooSlow } from './open-search-pool.ts';
import { SearchTurns } from './search-turns.ts';

/**
 * Does some work whose statements all see the same snapshot of the database. It waits for the user's turn, and throws
 * Unavailable if that does not come.
 */
export type InSnapshot = <Result>(
  user: Pick<Actor, 'id'>,
  work: (snapshot: Queryable) => Promise<Result>,
) => Promise<Result>;

/** Each holds a connection for seconds, which searches and other requests must not lack. One per user. */
const SNAPSHOTS_AT_ONCE = 2;
const MAX_WAIT_MS = 30_000;

export function openSnapshots(
  {
    statements,
    search,
  }: Pick<DatabaseSettings, 'statements'> & { readonly search: SearchSettings },
  { lifecycle, metrics, log }: Opening,
): InSnapshot {
  const pool = createPool({
    ...statements,
    applicationName: 'annals-export',
    poolSize: SNAPSHOTS_AT_ONCE,
    statementTimeoutMs: search.timeoutMs,
    isSerial: true,
  });
  closeLast(pool, 'database for exports', { lifecycle, log });
  const turns = new SearchTurns({
    capacity: SNAPSHOTS_AT_ONCE,
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
      // The statement that a lost connection fails reports it.
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
 * One at a time, as a connection wants them, and without names: a prepared statement that the database has to prepare
 * again would end the transaction.
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
