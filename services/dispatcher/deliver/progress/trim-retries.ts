import { withAdmin } from '../../../../shared/kafka/describe-topics.ts';
import { deliveryGroup, waitingTopics } from '../../../../shared/kafka/topics.ts';
import type { DispatcherContext } from '../../context.ts';

/**
 * Deletes processed entries from the topics with waiting batches. The entries are no longer needed: ledgers and tables
 * are derived from batches and attempts. Otherwise the topics would grow forever: batches for an unreachable receiver
 * are written again each period. Throws Unavailable.
 */
export function trimRetries({ config, kafka, log }: DispatcherContext): Promise<void> {
  return withAdmin(kafka, log, async (admin) => {
    const topics = waitingTopics(config.topics);
    // The deletion needs the leaders of the partitions.
    await admin.fetchTopicMetadata({ topics });
    const committed = await admin.fetchOffsets({
      groupId: deliveryGroup(config.topicPrefix),
      topics,
    });
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
