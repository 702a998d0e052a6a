import type { KafkaConnection } from '../kafka/connection.ts';
import { endOffset, type PartitionPosition } from '../kafka/read-partitions.ts';

/**
 * Where the partitions of a topic end now, in their order. `known`: how many there are, for callers that must not miss one
 * because the connection knows the topic from before. Throws Unavailable.
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
