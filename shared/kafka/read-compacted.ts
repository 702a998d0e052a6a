import { decodeReadable } from '../events/decode-readable.ts';
import type { KafkaConnection } from './connection.ts';
import { endOffset, liveRead, readPartitions } from './read-partitions.ts';

/** The last value of every key in the only partition of a compacted topic. What `decode` cannot read is left out. */
export async function readCompacted<Value>(
  connection: KafkaConnection,
  topic: string,
  decode: (bytes: Buffer | null) => Value,
): Promise<Map<string, Value>> {
  const values = new Map<string, Value>();
  const end = await endOffset(connection, topic, 0);
  let offset = 0n;
  while (offset < end) {
    const [found] = await readPartitions(connection, [{ topic, partition: 0, offset }], liveRead);
    // Only control records are left.
    if (found === undefined) break;
    for (const { key, value } of found.messages) {
      const read = decodeReadable(value, decode);
      if (key !== null && read !== undefined) values.set(key, read);
    }
    offset = found.nextOffset;
  }
  return values;
}
