import type { Pool } from 'pg';
import type { Metrics } from '../runtime/metrics.ts';

/** Measures how many connections of a pool are in use, and how many callers wait for one. */
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
