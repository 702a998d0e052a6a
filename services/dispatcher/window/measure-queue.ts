import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { reportLag } from '../../../shared/kafka/measure-lag.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import type { Metrics } from '../../../shared/runtime/metrics.ts';

/** Counts since the start of the process, for all queues that it has run. */
export interface QueueCounts {
  runs: number;
  matched: number;
  events: number;
  batches: number;
}

/** Registers the queue's metrics. `positions` returns nothing while another process runs the queue. */
export function measureQueue(
  metrics: Metrics,
  deps: {
    readonly connection: KafkaConnection;
    readonly positions: () => readonly PartitionPosition[];
  },
): QueueCounts {
  const counts: QueueCounts = { runs: 0, matched: 0, events: 0, batches: 0 };
  metrics.read('annals_webhook_queue_runs_total', () => counts.runs);
  metrics.read('annals_webhook_matched_events_total', () => counts.matched);
  metrics.read('annals_webhook_enqueued_events_total', () => counts.events);
  metrics.read('annals_webhook_enqueued_batches_total', () => counts.batches);
  const names = {
    entries: 'annals_webhook_queue_lag_entries',
    seconds: 'annals_webhook_queue_lag_seconds',
  } as const;
  reportLag(metrics, names, deps);
  return counts;
}
