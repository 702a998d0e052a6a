import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import { endOffset, startOffset } from '../../../shared/kafka/read-partitions.ts';
import type { Installation } from '../installation.ts';

/** By topic: the number of offsets that Kafka keeps, transaction markers and gaps of compaction included. */
export async function countEntries(
  { kafka, log }: Pick<Installation, 'kafka' | 'log'>,
  topics: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const connection = createKafkaConnection(kafka, log);
  try {
    const counts = new Map<string, number>();
    for (const topic of topics) {
      const partitions = await connection.partitionsOf(topic);
      let entries = 0n;
      for (let partition = 0; partition < partitions; partition += 1) {
        const start = await startOffset(connection, topic, partition);
        entries += (await endOffset(connection, topic, partition)) - start;
      }
      counts.set(topic, Number(entries));
    }
    return counts;
  } finally {
    await connection.close();
  }
}
