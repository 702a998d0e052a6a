import { Unavailable } from '../domain/errors.ts';
import type { KafkaConnection } from './connection.ts';
import { endOffset, readPartitions } from './read-partitions.ts';

const offsetsTopic = '__consumer_offsets';

/**
 * Reads the clock of a broker in milliseconds since 1970, and this machine's clock right before and after. Kafka has
 * no request for the time, but timestamps its own messages: this function commits an offset of an unused group and
 * reads the message that the broker wrote for it. Kafka deletes the offset after a week. The group must have no
 * members and no other use; `topic` can be any existing topic. Throws Unavailable, including when this client may not
 * read `__consumer_offsets`.
 */
export async function readBrokerClock(
  connection: KafkaConnection,
  { groupId, topic }: { readonly groupId: string; readonly topic: string },
): Promise<{ readonly broker: number; readonly before: number; readonly after: number }> {
  const partitions = await connection.partitionsOf(offsetsTopic);
  const partition = Math.abs(hashOf(groupId)) % partitions;
  const offset = await endOffset(connection, offsetsTopic, partition);
  const before = Date.now();
  await connection.onCoordinator(groupId, (broker) =>
    broker.offsetCommit({
      groupId,
      groupGenerationId: -1,
      memberId: '',
      topics: [{ topic, partitions: [{ partition: 0, offset: '0' }] }],
    }),
  );
  const after = Date.now();
  const [found] = await readPartitions(connection, [{ topic: offsetsTopic, partition, offset }], {
    maxWaitMs: 500,
    maxBytes: 1024 * 1024,
    maxBytesPerPartition: 1024 * 1024,
  });
  const own = found?.messages.find(({ key }) => key?.includes(groupId));
  if (own === undefined) {
    throw new Unavailable(`Kafka: cannot read the position of ${groupId} in ${offsetsTopic}`);
  }
  return { broker: own.timestamp, before, after };
}

/** Java's string hash, by which Kafka chooses the partition for the offsets of a group. */
function hashOf(text: string): number {
  let hash = 0;
  for (const unit of text.split('')) hash = (Math.imul(hash, 31) + unit.charCodeAt(0)) | 0;
  return hash;
}
