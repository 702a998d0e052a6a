import type { MetricName } from '../runtime/metric-definitions.ts';
import type { MetricSample, Metrics } from '../runtime/metrics.ts';
import type { KafkaConnection } from './connection.ts';
import { type Lag, measureLag } from './measure-lag.ts';
import type { PartitionPosition } from './read-partitions.ts';

/**
 * Queries Kafka at each scrape, on a connection of its own, so that the lag is also reported while the reader hangs, and
 * is absent while Kafka is unavailable. Both metrics share one query.
 */
export function reportLag(
  metrics: Metrics,
  names: { readonly entries: MetricName; readonly seconds: MetricName },
  deps: {
    readonly connection: KafkaConnection;
    readonly positions: () => readonly PartitionPosition[];
  },
): void {
  let asking: Promise<readonly Lag[]> | undefined;

  function ask(): Promise<readonly Lag[]> {
    asking ??= measureLag(deps.connection, deps.positions(), Date.now()).finally(() => {
      asking = undefined;
    });
    return asking;
  }

  metrics.read(names.entries, async () => (await ask()).map((lag) => toSample(lag, lag.entries)));
  metrics.read(names.seconds, async () => (await ask()).map((lag) => toSample(lag, lag.seconds)));
}

function toSample({ topic, partition }: Lag, value: number): MetricSample {
  return { labels: { topic, partition: String(partition) }, value };
}
