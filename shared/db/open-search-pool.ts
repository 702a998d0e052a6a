import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { SearchSettings } from '../config/search-settings.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { measurePool } from './measure-pool.ts';
import { createPool } from './pool.ts';

/**
 * Connections for filtered lists alone: however many and however slow they are, they leave the others to single reads
 * and writes.
 */
export function openSearchPool(
  { databaseUrl, search }: { readonly databaseUrl: string; readonly search: SearchSettings },
  {
    lifecycle,
    metrics,
    log,
  }: { readonly lifecycle: Lifecycle; readonly metrics: Metrics; readonly log: Logger },
): Pool {
  const pool = createPool({
    url: databaseUrl,
    applicationName: 'annals-search',
    poolSize: search.connections,
    statementTimeoutMs: search.timeoutMs,
  });
  pool.on('error', (err) => log.warn({ err }, 'idle database connection lost'));
  measurePool(metrics, 'searches', pool);
  lifecycle.opened('database for searches', () => pool.end());
  return pool;
}
