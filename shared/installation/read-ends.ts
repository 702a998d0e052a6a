import type { KafkaConnection } from '../kafka/connection.ts';
import { endOffset, type PartitionPosition } from '../kafka/read-partitions.ts';

/**
 * Returns the end offsets of a topic's partitions in order. `known` is the number of partitions, for callers that must
 * not rely on the connection's cached topic metadata. Throws Unavailable.
 */
export async function readEnds(
  connection: KafkaConnection,
  topic: string,
  known?: number,
): Promise<readonly PartitionPosition[]> {
  const count = known ?? (await connection.partitionsOf(topic));
  return Promise.all(
    Array.from({ length: count }, async (_, partition) => {
      const offset = await endOffset(connection, topic, partition);
      return { topic, partition, offset };
    }),
  );
}
