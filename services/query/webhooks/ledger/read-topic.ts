import { readEnds } from '../../../../shared/installation/read-ends.ts';
import type { KafkaConnection } from '../../../../shared/kafka/connection.ts';
import {
  liveRead,
  type ReadMessage,
  type ReadOptions,
  readPartitions,
  startOffset,
} from '../../../../shared/kafka/read-partitions.ts';

export interface TopicRead {
  readonly topic: string;
  /** Called in offset order within each partition. */
  onMessage(partition: number, message: ReadMessage): void;
  /** Awaited after the messages of each portion. */
  readonly afterPortion?: () => Promise<void>;
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly total: number }) => void)
    | undefined;
  /** How much is read in one request and processed without a pause. */
  readonly portion?: ReadOptions | undefined;
}

/** Reads all messages that are in a topic at the time of the call. */
export async function readTopic(connection: KafkaConnection, read: TopicRead): Promise<void> {
  const { topic, onMessage, afterPortion, onProgress, portion = liveRead } = read;
  let left = await readRanges(connection, topic);
  const total = left.reduce((sum, { offset, end }) => sum + Number(end - offset), 0);
  let done = 0;
  while (left.length > 0) {
    const found = await readPartitions(connection, left, portion);
    // Only control records remain.
    if (found.length === 0) return;
    for (const { partition, offset, messages, nextOffset } of found) {
      for (const message of messages) onMessage(partition, message);
      done += Number(nextOffset - offset);
    }
    await afterPortion?.();
    const reached = new Map(found.map(({ partition, nextOffset }) => [partition, nextOffset]));
    left = left
      .map((range) => ({ ...range, offset: reached.get(range.partition) ?? range.offset }))
      .filter(({ offset, end }) => offset < end);
    onProgress?.({ done, total });
  }
}

/** Returns the range of offsets of each partition that is not empty. */
async function readRanges(connection: KafkaConnection, topic: string) {
  const ranges = (await readEnds(connection, topic)).map(async ({ partition, offset: end }) => {
    const offset = await startOffset(connection, topic, partition);
    return { topic, partition, offset, end };
  });
  return (await Promise.all(ranges)).filter(({ offset, end }) => offset < end);
}
