import type { Pool } from 'pg';
import type { Metrics } from '../runtime/metrics.ts';

/** How much of a pool is in use, and whether anybody waits for it. */
export function measurePool(
  metrics: Metrics,
  pool: Pick<Pool, 'idleCount' | 'totalCount' | 'waitingCount'>,
): void {
  metrics.read('annals_database_connections', () => [
    { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
    { labels: { state: 'idle' }, value: pool.idleCount },
  ]);
  metrics.read('annals_database_waiting_queries', () => pool.waitingCount);
}
