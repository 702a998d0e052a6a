import type { MetricName } from '../runtime/metric-definitions.ts';
import type { MetricSample, Metrics } from '../runtime/metrics.ts';
import { createShared } from '../runtime/share-answers.ts';
import type { KafkaConnection } from './connection.ts';
import { type Lag, measureLag } from './measure-lag.ts';
import type { PartitionPosition } from './read-partitions.ts';

/**
 * Queries Kafka at each scrape on a separate connection, so that the lag is reported while the reader hangs, and is
 * absent while Kafka is unavailable. Both metrics share one query.
 */
export function reportLag(
  metrics: Metrics,
  names: { readonly entries: MetricName; readonly seconds: MetricName },
  deps: {
    readonly connection: KafkaConnection;
    readonly positions: () => readonly PartitionPosition[];
  },
): void {
  const measure = createShared(0, () => measureLag(deps.connection, deps.positions(), Date.now()));
  metrics.read(names.entries, async () =>
    (await measure()).map((lag) => toSample(lag, lag.entries)),
  );
  metrics.read(names.seconds, async () =>
    (await measure()).map((lag) => toSample(lag, lag.seconds)),
  );
}

function toSample({ topic, partition }: Lag, value: number): MetricSample {
  return { labels: { topic, partition: String(partition) }, value };
}
