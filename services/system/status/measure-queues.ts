import type { Observed } from '../../../shared/installation/observed.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { type Lag, measureLag } from '../../../shared/kafka/measure-lag.ts';
import { startOffset } from '../../../shared/kafka/read-partitions.ts';
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
  /** Age of the oldest one; 0 if the queue is empty. */
  readonly seconds: number;
}

type Deps = Pick<Observed, 'kafka' | 'topics' | 'topicPrefix' | 'log'> & {
  readonly connection: KafkaConnection;
};

/** Each stage reads one topic, and its group's positions are its progress. Throws Unavailable. */
export async function measureQueues(deps: Deps): Promise<readonly WebhookQueue[]> {
  const { topics } = deps;
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
    // If only transaction markers remain, the queue is empty.
    const lags = (await measureStage(deps, group, topic)).filter(
      ({ seconds, damage }) => seconds > 0 || damage !== undefined,
    );
    queues.push({
      stage,
      topic,
      waiting: lags.reduce((sum, { entries }) => sum + entries, 0),
      seconds: Math.max(0, ...lags.map(({ seconds }) => seconds)),
    });
  }
  return queues;
}

async function measureStage(
  { kafka, topicPrefix, log, connection }: Deps,
  group: string,
  topic: string,
): Promise<readonly Lag[]> {
  const request = { groupId: `${topicPrefix}.${group}`, topics: [topic] };
  const stored = await readGroupPositions(kafka, request, log);
  const offsets = new Map(stored.map(({ partition, offset }) => [partition, offset]));
  const count = await connection.partitionsOf(topic);
  const positions = [];
  for (let partition = 0; partition < count; partition += 1) {
    const offset = offsets.get(partition) ?? (await startOffset(connection, topic, partition));
    positions.push({ topic, partition, offset });
  }
  return measureLag(connection, positions, Date.now());
}
