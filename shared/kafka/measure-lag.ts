import type { KafkaConnection } from './connection.ts';
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
  /** Age of the oldest unread entry; 0 without any. */
  readonly seconds: number;
}

/** Kafka answers at least one batch, whatever its size. More is not needed. */
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
    const seconds = entries > 0 ? await ageOfNext(connection, position, now) : 0;
    lags.push({ topic, partition, entries: Math.max(0, entries), seconds });
  }
  return lags;
}

async function ageOfNext(
  connection: KafkaConnection,
  position: PartitionPosition,
  now: number,
): Promise<number> {
  try {
    const [found] = await readPartitions(connection, [position], oneEntry);
    const next = found?.messages.find(({ offset }) => offset >= position.offset);
    return next === undefined ? 0 : Math.max(0, now - next.timestamp) / 1000;
  } catch (error) {
    // The oldest unread entry is gone, and with it its age.
    if (error instanceof LogDamaged) return 0;
    throw error;
  }
}
