import { createPartitionProgress } from '../../../services/dispatcher/deliver/progress/partition-progress.ts';
import { deliveryGroup } from '../../../services/dispatcher/deliver/run-partition.ts';
import { deliveredTopics } from '../../../shared/kafka/topics.ts';
import { readGroupPositions } from '../../../shared/kafka/transactor.ts';
import type { Installation } from '../installation.ts';

interface Place {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

/** Whether delivery still has to handle the message at a place of the log. */
export type OpenPlaces = (place: Place) => boolean;

/** Reads the open places at the time of the call. */
export async function readOpenPlaces({
  kafka,
  topics,
  topicPrefix,
  log,
}: Pick<Installation, 'kafka' | 'topics' | 'topicPrefix' | 'log'>): Promise<OpenPlaces> {
  const question = {
    groupId: deliveryGroup(topicPrefix),
    topics: deliveredTopics(topics),
  };
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
