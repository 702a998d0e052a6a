import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  endOffset,
  liveRead,
  type PartitionPosition,
  type ReadMessage,
  type ReadOptions,
  readPartitions,
  startOffset,
} from '../../../shared/kafka/read-partitions.ts';

export interface TopicRead {
  readonly topic: string;
  /** Messages in the order of their partitions. */
  onMessage(partition: number, message: ReadMessage): void;
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly total: number }) => void)
    | undefined;
  /** How much is read at once, and handled without a pause. */
  readonly portion?: ReadOptions | undefined;
}

/** Reads all messages that a topic has at the time of the call. */
export async function readTopic(connection: KafkaConnection, read: TopicRead): Promise<void> {
  const { topic, onMessage, onProgress, portion = liveRead } = read;
  const count = await connection.partitionsOf(topic);
  let left: { readonly position: PartitionPosition; readonly end: bigint }[] = [];
  for (let partition = 0; partition < count; partition += 1) {
    const offset = await startOffset(connection, topic, partition);
    const end = await endOffset(connection, topic, partition);
    if (offset < end) left.push({ position: { topic, partition, offset }, end });
  }
  const total = left.reduce((sum, { position, end }) => sum + Number(end - position.offset), 0);
  let done = 0;
  while (left.length > 0) {
    const found = await readPartitions(
      connection,
      left.map(({ position }) => position),
      portion,
    );
    // Only control records remain.
    if (found.length === 0) return;
    for (const { partition, messages, nextOffset } of found) {
      for (const message of messages) onMessage(partition, message);
      const before = left.find(({ position }) => position.partition === partition);
      done += Number(nextOffset - (before?.position.offset ?? nextOffset));
      left = left.flatMap((one) => {
        if (one.position.partition !== partition) return [one];
        return nextOffset < one.end
          ? [{ ...one, position: { ...one.position, offset: nextOffset } }]
          : [];
      });
    }
    onProgress?.({ done, total });
  }
}
