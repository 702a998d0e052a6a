import { withAdmin } from '../../../../shared/kafka/describe-topics.ts';
import { deliveryGroup, waitingTopics } from '../../../../shared/kafka/topics.ts';
import type { DispatcherContext } from '../../context.ts';

/**
 * Deletes processed entries from the retry and overflow topics. The entries are no longer needed, because ledgers and
 * tables are derived from batches and attempts. Without the deletion, the topics would grow forever: batches for an
 * unreachable receiver are written again in each retry period. Throws Unavailable.
 */
export function trimRetries({ config, kafka, log }: DispatcherContext): Promise<void> {
  return withAdmin(kafka, log, async (admin) => {
    const topics = waitingTopics(config.topics);
    // The deletion below needs the leaders of the partitions, which kafkajs loads with this call.
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
