import type { Logger } from 'pino';
import type { KafkaAddress } from '../../../shared/kafka/connection.ts';
import { withAdmin } from '../../../shared/kafka/describe-topics.ts';

interface TrimDeps {
  readonly kafka: KafkaAddress;
  /** Where batches wait. */
  readonly topics: readonly string[];
  /** Group under which delivery keeps its positions. */
  readonly positionsGroup: string;
  readonly log: Logger;
}

/**
 * Lets Kafka delete what lies before the positions of delivery in topics where batches wait. Nobody needs it: accounts and
 * tables are made of batches and attempts. Without this, what waits for a receiver that stays away would be written anew each
 * period and kept for ever. Throws Unavailable.
 */
export function trimRetries({
  kafka,
  topics: trimmed,
  positionsGroup,
  log,
}: TrimDeps): Promise<void> {
  return withAdmin(kafka, log, async (admin) => {
    const topics = [...trimmed];
    // Loads who leads them, which the deletion asks for.
    await admin.fetchTopicMetadata({ topics });
    const committed = await admin.fetchOffsets({ groupId: positionsGroup, topics });
    for (const { topic, partitions } of committed) {
      const starts = new Map(
        (await admin.fetchTopicOffsets(topic)).map(({ partition, low }) => [partition, low]),
      );
      const passed = partitions.filter(
        ({ partition, offset }) => BigInt(offset) > BigInt(starts.get(partition) ?? offset),
      );
      if (passed.length === 0) continue;
      await admin.deleteTopicRecords({ topic, partitions: passed });
      log.debug({ topic, partitions: passed.length }, 'retries trimmed');
    }
  });
}
