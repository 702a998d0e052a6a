import type { Logger } from 'pino';
import type { KafkaAddress } from '../../../shared/kafka/connection.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import { deliveredTopics, type TopicNames } from '../../../shared/kafka/topics.ts';
import { readGroupPositions } from '../../../shared/kafka/transactor.ts';
import { createPartitionProgress } from './progress/partition-progress.ts';

interface Installation {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  readonly topicPrefix: string;
  readonly log: Logger;
}

/** The Kafka group with the positions of delivery. */
export const deliveryGroup = (topicPrefix: string): string => `${topicPrefix}.deliver`;

/** Returns a function that reports whether delivery had not recorded the message at a place of the log yet. */
export async function readOpenPlaces(
  installation: Installation,
): Promise<(place: PartitionPosition) => boolean> {
  const { kafka, topics, topicPrefix, log } = installation;
  const question = { groupId: deliveryGroup(topicPrefix), topics: deliveredTopics(topics) };
  const positions = await readGroupPositions(kafka, question, log);
  const progress = new Map(
    positions.map((stored) => [
      `${stored.topic}/${stored.partition}`,
      createPartitionProgress(stored),
    ]),
  );
  return ({ topic, partition, offset }) =>
    progress.get(`${topic}/${partition}`)?.isRecorded(offset) !== true;
}
