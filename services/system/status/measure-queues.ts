import type { ObservedLog } from '../../../shared/installation/observed.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { type Lag, measureLag } from '../../../shared/kafka/measure-lag.ts';
import { type PartitionPosition, startOffset } from '../../../shared/kafka/read-partitions.ts';
import { readGroupPositions } from '../../../shared/kafka/transactor.ts';

/** The queue in front of one stage of the webhook pipeline. */
export interface WebhookQueue {
  readonly stage:
    | 'matching'
    | 'delivery'
    | 'overflow'
    | 'second attempt'
    | 'third attempt'
    | 'later attempts';
  readonly topic: string;
  /** The number of log entries (`matching`) or batches. */
  readonly waiting: number;
  /** The age of the oldest of them; 0 if the queue is empty. */
  readonly seconds: number;
}

/** Each stage reads one topic, and the positions of its group are its progress. Throws Unavailable. */
export async function measureQueues(
  installation: ObservedLog,
  connection: KafkaConnection,
): Promise<readonly WebhookQueue[]> {
  const { kafka, topics, topicPrefix, log } = installation;
  const [second, third, later] = topics.webhookRetries;
  const stages = [
    { stage: 'matching', group: 'queue', topic: topics.records },
    { stage: 'delivery', group: 'deliver', topic: topics.webhookBatches },
    { stage: 'overflow', group: 'deliver', topic: topics.webhookOverflow },
    { stage: 'second attempt', group: 'deliver', topic: second },
    { stage: 'third attempt', group: 'deliver', topic: third },
    { stage: 'later attempts', group: 'deliver', topic: later },
  ] as const;
  const queues: WebhookQueue[] = [];
  for (const { stage, group, topic } of stages) {
    const groupId = `${topicPrefix}.${group}`;
    const stored = await readGroupPositions(kafka, { groupId, topics: [topic] }, log);
    const lags = await measureStage(connection, topic, stored);
    queues.push({
      stage,
      topic,
      waiting: lags.reduce((sum, { entries }) => sum + entries, 0),
      seconds: Math.max(0, ...lags.map(({ seconds }) => seconds)),
    });
  }
  return queues;
}

/** `stored` contains the group's positions. In all other partitions, the group starts at the beginning. */
async function measureStage(
  connection: KafkaConnection,
  topic: string,
  stored: readonly PartitionPosition[],
): Promise<readonly Lag[]> {
  const offsets = new Map(stored.map(({ partition, offset }) => [partition, offset]));
  const count = await connection.partitionsOf(topic);
  const positions = [];
  for (let partition = 0; partition < count; partition += 1) {
    const offset = offsets.get(partition) ?? (await startOffset(connection, topic, partition));
    positions.push({ topic, partition, offset });
  }
  const lags = await measureLag(connection, positions, Date.now());
  // The queue is empty if only transaction markers remain.
  return lags.filter(({ seconds, damage }) => seconds > 0 || damage !== undefined);
}
