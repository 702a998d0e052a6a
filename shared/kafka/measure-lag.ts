import type { MetricName } from '../runtime/metric-definitions.ts';
import type { MetricSample, Metrics } from '../runtime/metrics.ts';
import { createShared } from '../runtime/share-answers.ts';
import type { KafkaConnection } from './connection.ts';
import { BatchDamaged } from './fetch/batch-damaged.ts';
import { LogDamaged } from './log-damaged.ts';
import {
  endOffset,
  type PartitionPosition,
  type ReadOptions,
  readPartitions,
} from './read-partitions.ts';

export interface Lag {
  readonly topic: string;
  readonly partition: number;
  readonly entries: number;
  /** Age of the oldest unread entry; 0 if none exists. */
  readonly seconds: number;
  /** Set if the next entry cannot be read. Its age is then unknown and reported as 0. */
  readonly damage?: BatchDamaged;
}

/** Kafka returns at least one batch of any size, and one entry is enough. */
const oneEntry: ReadOptions = { maxWaitMs: 100, maxBytes: 1, maxBytesPerPartition: 1 };

/** Measures how far positions are behind the current ends of their partitions. Throws Unavailable. */
export async function measureLag(
  connection: KafkaConnection,
  positions: readonly PartitionPosition[],
  now: number,
): Promise<readonly Lag[]> {
  const lags: Lag[] = [];
  for (const position of positions) {
    const { topic, partition, offset } = position;
    const entries = Number((await endOffset(connection, topic, partition)) - offset);
    const age = entries > 0 ? await ageOfNext(connection, position, now) : { seconds: 0 };
    lags.push({ topic, partition, entries: Math.max(0, entries), ...age });
  }
  return lags;
}

async function ageOfNext(
  connection: KafkaConnection,
  position: PartitionPosition,
  now: number,
): Promise<{ readonly seconds: number; readonly damage?: BatchDamaged }> {
  try {
    const [found] = await readPartitions(connection, [position], oneEntry);
    const next = found?.messages.find(({ offset }) => offset >= position.offset);
    const seconds = next === undefined ? 0 : Math.max(0, now - next.timestamp) / 1000;
    return { seconds, ...(found?.damage && { damage: found.damage }) };
  } catch (error) {
    // The oldest unread entry is missing, so its age is unknown.
    if (error instanceof LogDamaged) return { seconds: 0 };
    if (!(error instanceof BatchDamaged)) throw error;
    return { seconds: 0, damage: error };
  }
}

/**
 * Queries Kafka at each scrape on a separate connection, so that the lag is reported even while the reader hangs, and
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
