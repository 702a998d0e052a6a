import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { SearchSettings } from '../../shared/config/search-settings.ts';
import { measurePool } from '../../shared/db/measure-pool.ts';
import { createPool } from '../../shared/db/pool.ts';
import type { Lifecycle } from '../../shared/runtime/lifecycle.ts';
import type { Metrics } from '../../shared/runtime/metrics.ts';

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
