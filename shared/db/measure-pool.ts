import type { Pool } from 'pg';
import type { Metrics } from '../runtime/metrics.ts';

/** Measures how much of a pool is in use, and how many callers wait for a connection. */
export function measurePool(
  metrics: Metrics,
  name: 'records' | 'searches' | 'exports' | 'replica' | 'replica-searches',
  count: () => Pick<Pool, 'idleCount' | 'totalCount' | 'waitingCount'>,
): void {
  metrics.read('annals_database_connections', () => {
    const { idleCount, totalCount } = count();
    return [
      { labels: { pool: name, state: 'busy' }, value: totalCount - idleCount },
      { labels: { pool: name, state: 'idle' }, value: idleCount },
    ];
  });
  metrics.read('annals_database_waiting_queries', () => [
    { labels: { pool: name }, value: count().waitingCount },
  ]);
}
