import type { KafkaConnection } from '../../../../shared/kafka/connection.ts';
import {
  endOffset,
  liveRead,
  type ReadMessage,
  readPartitions,
  startOffset,
} from '../../../../shared/kafka/read-partitions.ts';
import type { Transactor } from '../../../../shared/kafka/transactor.ts';
import { PartitionProgress } from './partition-progress.ts';

/**
 * Loads the committed positions of a partition, and its progress in each topic. Fences the previous owner first, so
 * that it can no longer commit.
 */
export async function loadProgress(
  partition: number,
  topics: readonly string[],
  {
    transactor,
    connection,
  }: { readonly transactor: Transactor; readonly connection: KafkaConnection },
) {
  const all = await transactor.positionsWithMetadata(...topics);
  const stored = all.filter((position) => position.partition === partition);
  const partitions: PartitionProgress[] = [];
  for (const topic of topics) {
    const known = stored.find((position) => position.topic === topic);
    const offset = known?.offset ?? (await startOffset(connection, topic, partition));
    partitions.push(new PartitionProgress({ metadata: '', ...known, topic, partition, offset }));
  }
  return { stored, partitions };
}

/**
 * Calls `onMessage` for every unrecorded message that is currently in the partition. Returns the offset of the next
 * message.
 */
export async function readUnrecorded(
  connection: KafkaConnection,
  progress: PartitionProgress,
  onMessage: (message: ReadMessage) => void,
): Promise<bigint> {
  const { topic, partition } = progress;
  const end = await endOffset(connection, topic, partition);
  let offset = progress.start;
  while (offset < end) {
    const [read] = await readPartitions(connection, [{ topic, partition, offset }], liveRead);
    // Only control records remain.
    if (read === undefined) return end;
    for (const message of read.messages) {
      if (!progress.isRecorded(message.offset)) onMessage(message);
    }
    offset = read.nextOffset;
  }
  return offset;
}
