import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  endOffset,
  liveRead,
  type ReadMessage,
  readPartitions,
  startOffset,
} from '../../../shared/kafka/read-partitions.ts';
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

/** Shows `onMessage` everything that stands in a partition now and is not recorded yet. */
export async function readUnrecorded(
  connection: KafkaConnection,
  progress: PartitionProgress,
  onMessage: (message: ReadMessage) => void,
): Promise<void> {
  const { topic, partition } = progress;
  const end = await endOffset(connection, topic, partition);
  let offset = progress.start;
  while (offset < end) {
    const [read] = await readPartitions(connection, [{ topic, partition, offset }], liveRead);
    // Only control records are left.
    if (read === undefined) return;
    for (const message of read.messages) {
      if (!progress.isRecorded(message.offset)) onMessage(message);
    }
    offset = read.nextOffset;
  }
}
