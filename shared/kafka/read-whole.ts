import { decodeReadable } from '../events/decode-readable.ts';
import type { KafkaConnection } from './connection.ts';
import { endOffset, liveRead, type ReadMessage, readPartitions } from './read-partitions.ts';

/** Yields all messages in a topic with one partition, in order, starting at `from`. Throws Unavailable. */
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

/**
 * Reads the last value of every key of a compacted topic with one partition. Skips values that `decode` cannot read.
 */
export async function readCompacted<Value>(
  connection: KafkaConnection,
  topic: string,
  decode: (bytes: Buffer | null) => Value,
): Promise<Map<string, Value>> {
  const values = new Map<string, Value>();
  for await (const message of readWhole(connection, topic)) {
    const { key } = message;
    const read = decodeReadable(message, decode);
    if (key !== null && read !== undefined) values.set(key, read);
  }
  return values;
}
