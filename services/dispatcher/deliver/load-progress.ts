import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { startOffset } from '../../../shared/kafka/read-partitions.ts';
import type { NotedPosition, Transactor } from '../../../shared/kafka/transactor.ts';
import { createPartitionProgress, type PartitionProgress } from './partition-progress.ts';

export interface LoadedProgress {
  /** As committed by this process or its predecessors. */
  readonly stored: readonly NotedPosition[];
  /** The partition in each of the topics. */
  readonly partitions: readonly PartitionProgress[];
}

interface LoadProgressDeps {
  readonly topics: readonly string[];
  readonly transactor: Transactor;
  readonly connection: KafkaConnection;
}

/**
 * Where the delivery of a partition stands. Ends what a predecessor still had under way, so nothing it does later
 * counts.
 */
export async function loadProgress(
  partition: number,
  { topics, transactor, connection }: LoadProgressDeps,
): Promise<LoadedProgress> {
  const all = await transactor.notedPositions(...topics);
  const stored = all.filter((position) => position.partition === partition);
  const partitions: PartitionProgress[] = [];
  for (const topic of topics) {
    const known = stored.find((position) => position.topic === topic);
    const offset = known?.offset ?? (await startOffset(connection, topic, partition));
    partitions.push(createPartitionProgress({ note: '', ...known, topic, partition, offset }));
  }
  return { stored, partitions };
}
