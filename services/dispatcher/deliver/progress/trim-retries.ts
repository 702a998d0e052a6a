import type { Logger } from 'pino';
import type { KafkaAddress } from '../../../../shared/kafka/connection.ts';
import { withAdmin } from '../../../../shared/kafka/describe-topics.ts';

interface TrimDeps {
  readonly kafka: KafkaAddress;
  /** The topics with waiting batches. */
  readonly topics: readonly string[];
  /** The group with the positions of delivery. */
  readonly positionsGroup: string;
  readonly log: Logger;
}

/**
 * Deletes processed entries from the topics with waiting batches. They are not needed: ledgers and tables are derived from
 * batches and attempts. Otherwise batches for an unreachable receiver would be written again each period and kept
 * forever. Throws Unavailable.
 */
export function trimRetries(deps: TrimDeps): Promise<void> {
  const { kafka, positionsGroup, log } = deps;
  return withAdmin(kafka, log, async (admin) => {
    const topics = [...deps.topics];
    // The deletion needs the leaders of the partitions.
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
