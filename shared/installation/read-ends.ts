import type { KafkaConnection } from '../kafka/connection.ts';
import { endOffset, type PartitionPosition } from '../kafka/read-partitions.ts';

/** Where the partitions of a topic end now, in their order. Throws Unavailable. */
export async function readEnds(
  connection: KafkaConnection,
  topic: string,
): Promise<readonly PartitionPosition[]> {
  const count = await connection.partitionsOf(topic);
  return Promise.all(
    Array.from({ length: count }, async (_, partition) => {
      const offset = await endOffset(connection, topic, partition);
      return { topic, partition, offset };
    }),
  );
}
