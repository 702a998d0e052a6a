import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { SearchSettings } from '../config/search-settings.ts';
import { orOutage, sqlStateOf } from '../db/outage-of.ts';
import { createPool, type DatabaseConfig, measurePool, type Queryable } from '../db/pool.ts';
import { Refusal } from '../domain/errors.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { currentRequest } from '../runtime/trace.ts';
import { createPrepare, type Statement } from './run-statement.ts';
import { SearchTurns } from './search-turns.ts';

/** A small pool of connections for slow statements, shared fairly among users. */
export interface SearchPool {
  /** Returns the pool for one user. Statements wait for the user's turn and are rejected if they take too long. */
  of(user: { readonly id: string }): Queryable;
  /** Names the text of a search, so that the pool's connections prepare it. */
  readonly prepare: (text: string) => Statement;
}

/** What opened resources need for shutdown, metrics and logging. */
export interface Opening {
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Below the timeout of typical proxies and clients. */
const MAX_WAIT_MS = 30_000;
const SLOW_AFTER_MS = 250;
/** The pause after a search that timed out: an immediate retry would only keep the database busy. */
const RETRY_AFTER_SECONDS = 10;
/** The number of different searches is unbounded. This is enough for the searches that clients repeat. */
const MAX_PREPARED = 100;

/**
 * Opens a pool exclusively for searches. Even if they are many and slow, other connections remain available for single
 * reads and writes, and one user's searches leave some connections for other users.
 */
export function openSearchPool(
  { databaseUrl, search }: { readonly databaseUrl: string; readonly search: SearchSettings },
  { lifecycle, metrics, log }: Opening,
  {
    name,
    ...limits
  }: Partial<DatabaseConfig> & { readonly name: 'searches' | 'replica-searches' } = {
    name: 'searches',
  },
): SearchPool {
  const pool = createPool({
    url: databaseUrl,
    applicationName: 'annals-search',
    poolSize: search.connections,
    statementTimeoutMs: search.timeoutMs,
    isForSearches: true,
    ...limits,
  });
  closeLast(pool, 'database for searches', { lifecycle, log });
  const turns = new SearchTurns({
    capacity: search.connections,
    maxWaitMs: MAX_WAIT_MS,
    slowAfterMs: SLOW_AFTER_MS,
    now: () => performance.now(),
  });
  measurePool(metrics, name, () => ({
    idleCount: pool.idleCount,
    totalCount: pool.totalCount,
    waitingCount: turns.waitingCount,
  }));
  return shareSearches(pool, turns, log);
}

/** Logs connections lost while idle, and closes the pool on shutdown. */
export function closeLast(
  pool: Pool,
  name: string,
  { lifecycle, log }: Omit<Opening, 'metrics'>,
): void {
  pool.on('error', (err) => log.warn({ err: orOutage(err) }, 'idle database connection lost'));
  lifecycle.opened(name, () => pool.end());
}

export function shareSearches(pool: Pool, turns: SearchTurns, log: Logger): SearchPool {
  return {
    prepare: createPrepare(MAX_PREPARED),
    of: ({ id }) => ({
      async query(statement) {
        const end = await turns.take(id, currentRequest()?.isGone);
        try {
          return await pool.query(statement);
        } catch (error) {
          if (sqlStateOf(error) !== '57014') throw error;
          // The database cancelled the statement at the pool's time limit.
          log.info({ userId: id }, 'search took too long');
          throw tooSlow();
        } finally {
          end();
        }
      },
    }),
  };
}

/** Returns the error for a statement that the database cancelled at the time limit. */
export function tooSlow(): Refusal {
  return new Refusal('invalid', 'list.too_slow', 'This search takes too long. Narrow it down.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
