import type { KafkaConnection } from './connection.ts';
import { endOffset, liveRead, type ReadMessage, readPartitions } from './read-partitions.ts';

/** Yields all messages of a topic with one partition in order, starting at `from`. Throws Unavailable. */
export async function* readWhole(
  connection: KafkaConnection,
  topic: string,
  from = 0n,
): AsyncGenerator<ReadMessage> {
  const end = await endOffset(connection, topic, 0);
  let offset = from;
  while (offset < end) {
    const [found] = await readPartitions(connection, [{ topic, partition: 0, offset }], liveRead);
    // Only control records remain.
    if (found === undefined) return;
    yield* found.messages;
    offset = found.nextOffset;
  }
}
