import type { Logger } from 'pino';
import type { KafkaAddress } from '../../../shared/kafka/connection.ts';
import { changeTopicSettings } from '../../../shared/kafka/describe-topics.ts';

/** Lets Kafka compact the segments of a topic, which Kafka rolls when further entries are written. */
export async function compactTopic(
  address: KafkaAddress,
  topic: string,
  log: Logger,
): Promise<void> {
  const settings = new Map([
    ['cleanup.policy', 'compact'],
    ['segment.ms', '100'],
    ['min.cleanable.dirty.ratio', '0.01'],
    ['max.compaction.lag.ms', '100'],
  ]);
  await changeTopicSettings(address, new Map([[topic, settings]]), log);
}
