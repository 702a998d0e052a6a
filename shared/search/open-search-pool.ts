import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { SearchSettings } from '../config/search-settings.ts';
import { measurePool } from '../db/measure-pool.ts';
import { orOutage, sqlStateOf } from '../db/outage-of.ts';
import { createPool, type DatabaseConfig, type Queryable } from '../db/pool.ts';
import type { Actor } from '../domain/access/actor.ts';
import { Refusal } from '../domain/errors.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { currentRequest } from '../runtime/trace.ts';
import { createPrepare, type Statement } from './prepare-statement.ts';
import { SearchTurns } from './search-turns.ts';

/** A pool of few connections for slow statements, which users share fairly. */
export interface SearchPool {
  /** The pool for one user. Statements wait for the user's turn; one that takes too long is refused. */
  of(user: Pick<Actor, 'id'>): Queryable;
  /** Names the text of a search, so that the pool's connections prepare it. */
  readonly prepare: (text: string) => Statement;
}

/** Where what is opened is closed, measured and told of. */
export interface Opening {
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Below the time after which proxies and clients usually give up. */
const MAX_WAIT_MS = 30_000;
const SLOW_AFTER_MS = 250;
/** For a search that took too long: an immediate retry would only keep the database busy. */
const RETRY_AFTER_SECONDS = 10;
/** Conditions vary without end. These are enough for those that a client repeats. */
const MAX_PREPARED = 100;

/**
 * A pool for searches alone: however many and slow they are, they leave the other connections to single reads and
 * writes. Those of one user leave some connections to other users.
 */
export function openSearchPool(
  { databaseUrl, search }: { readonly databaseUrl: string; readonly search: SearchSettings },
  { lifecycle, metrics, log }: Opening,
  {
    name,
    ...limits
  }: {
    readonly name: 'searches' | 'replica-searches';
  } & Pick<DatabaseConfig, 'answerTimeoutMs' | 'onConnect'> = { name: 'searches' },
): SearchPool {
  const pool = createPool({
    url: databaseUrl,
    applicationName: 'annals-search',
    poolSize: search.connections,
    statementTimeoutMs: search.timeoutMs,
    isSerial: true,
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

/** Notes connections that are lost while they are idle, and closes the pool at the end. */
export function closeLast(
  pool: Pool,
  name: string,
  { lifecycle, log }: Pick<Opening, 'lifecycle' | 'log'>,
): void {
  pool.on('error', (err) => log.warn({ err: orOutage(err) }, 'idle database connection lost'));
  lifecycle.opened(name, () => pool.end());
}

export function shareSearches(
  pool: Pick<Pool, 'query'>,
  turns: SearchTurns,
  log: Logger,
): SearchPool {
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

/** For a statement that the database cancelled at the time limit. */
export function tooSlow(): Refusal {
  return new Refusal('invalid', 'list.too_slow', 'This search takes too long: narrow it down.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
