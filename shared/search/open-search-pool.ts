import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { SearchSettings } from '../config/search-settings.ts';
import { measurePool } from '../db/measure-pool.ts';
import { outageOf, sqlStateOf } from '../db/outage-of.ts';
import { createPool } from '../db/pool.ts';
import type { Actor } from '../domain/access/actor.ts';
import { Refusal } from '../domain/errors.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Queryable } from './run-statement.ts';
import { SearchTurns } from './search-turns.ts';

/** For statements that may take long, of few connections, which users share fairly. */
export interface SearchPool {
  /** Whose turn each statement waits for; refuses one that takes too long. */
  of(user: Pick<Actor, 'id'>): Queryable;
}

const MAX_WAIT_MS = 5_000;
const SLOW_AFTER_MS = 250;
/** Of a search that took too long: whoever tries again at once would only keep the database busy. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Connections for searches alone: however many and however slow they are, they leave the others to single reads and
 * writes, and a user's leave some to those of other users.
 */
export function openSearchPool(
  { databaseUrl, search }: { readonly databaseUrl: string; readonly search: SearchSettings },
  {
    lifecycle,
    metrics,
    log,
  }: { readonly lifecycle: Lifecycle; readonly metrics: Metrics; readonly log: Logger },
): SearchPool {
  const pool = createPool({
    url: databaseUrl,
    applicationName: 'annals-search',
    poolSize: search.connections,
    statementTimeoutMs: search.timeoutMs,
    isSerial: true,
  });
  pool.on('error', (err) =>
    log.warn({ err: outageOf(err) ?? err }, 'idle database connection lost'),
  );
  lifecycle.opened('database for searches', () => pool.end());
  const turns = new SearchTurns({
    capacity: search.connections,
    maxWaitMs: MAX_WAIT_MS,
    slowAfterMs: SLOW_AFTER_MS,
    now: () => performance.now(),
  });
  measurePool(metrics, 'searches', () => ({
    idleCount: pool.idleCount,
    totalCount: pool.totalCount,
    waitingCount: turns.waitingCount,
  }));
  return shareSearches(pool, turns, log);
}

export function shareSearches(
  pool: Pick<Pool, 'query'>,
  turns: SearchTurns,
  log: Logger,
): SearchPool {
  return {
    of: ({ id }) => ({
      async query(statement) {
        const end = await turns.take(id);
        try {
          return await pool.query(statement);
        } catch (error) {
          if (sqlStateOf(error) !== '57014') throw error;
          // The database ended the statement: the pool gives statements so much time and no more.
          log.info({ userId: id }, 'search took too long');
          throw tooSlow();
        } finally {
          end();
        }
      },
    }),
  };
}

function tooSlow(): Refusal {
  return new Refusal('invalid', 'list.too_slow', 'This search takes too long: narrow it down.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
