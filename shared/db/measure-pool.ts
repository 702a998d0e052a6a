import type { Pool } from 'pg';
import type { Metrics } from '../runtime/metrics.ts';

/** How much of a pool is in use, and whether anybody waits for it. */
export function measurePool(
  metrics: Metrics,
  name: 'records' | 'searches',
  pool: Pick<Pool, 'idleCount' | 'totalCount' | 'waitingCount'>,
): void {
  metrics.read('annals_database_connections', () => [
    { labels: { pool: name, state: 'busy' }, value: pool.totalCount - pool.idleCount },
    { labels: { pool: name, state: 'idle' }, value: pool.idleCount },
  ]);
  metrics.read('annals_database_waiting_queries', () => [
    { labels: { pool: name }, value: pool.waitingCount },
  ]);
}
