import type { KafkaConnection } from './connection.ts';
import { endOffset, liveRead, readPartitions } from './read-partitions.ts';

/** The last value of every key in the only partition of a compacted topic. */
export async function readCompacted(
  connection: KafkaConnection,
  topic: string,
): Promise<ReadonlyMap<string, Buffer>> {
  const values = new Map<string, Buffer>();
  const end = await endOffset(connection, topic, 0);
  let offset = 0n;
  while (offset < end) {
    const [read] = await readPartitions(connection, [{ topic, partition: 0, offset }], liveRead);
    // Only control records are left.
    if (read === undefined) break;
    for (const { key, value } of read.messages) {
      if (key !== null && value !== null) values.set(key, value);
    }
    offset = read.nextOffset;
  }
  return values;
}
