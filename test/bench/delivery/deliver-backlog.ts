import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { toKafkaVariables } from '../../../infra/local/kafka/kafka-access.ts';
import { ensureTopics, topicNames } from '../../../shared/kafka/topics.ts';
import { markTestLog } from '../../support/log/mark-test-log.ts';
import type { BenchContext } from '../bench.ts';
import { benchKafka } from '../bench-kafka.ts';
import { newContactEvents } from '../contact-events.ts';
import { fillLog } from '../fill-log.ts';
import { newTopicPrefix } from '../start-bench-product.ts';
import { startService } from '../start-service.ts';
import { webhookEvent } from '../webhook-events.ts';
import type { Receiver, ReceiverCounts } from './start-receiver.ts';

export interface Backlog {
  readonly webhooks: number;
  /** Each event matches every webhook. */
  readonly events: number;
  readonly eventsPerRequest: number;
}

const PARTITIONS = 4;

/** Without an interval and portions, everything is sent as fast as possible. */
export const unlimited = {
  WEBHOOK_QUEUE_INTERVAL: '0',
  WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
  WEBHOOK_QUEUE_PORTION_SIZE: '0',
};

/** The receiver is on this machine, which is a forbidden target by default. */
export const opening = (receiver: Receiver) => ({
  WEBHOOK_ALLOWED_ADDRESSES: new URL(receiver.url).host,
});

/**
 * Runs the real dispatcher on a log that already contains webhooks and events, until the last event is
 * received.
 */
export async function deliverBacklog(
  context: BenchContext,
  receiver: Receiver,
  backlog: Backlog,
): Promise<ReceiverCounts> {
  const { kafka } = await context.infrastructure();
  const prefix = newTopicPrefix();
  const topics = topicNames(prefix);
  const secretKey = randomBytes(32).toString('hex');
  const address = benchKafka(kafka);
  const silent = pino({ level: 'silent' });
  await ensureTopics(address, topics, { recordPartitions: PARTITIONS }, silent);
  await markTestLog(address, topics, secretKey);
  const webhooks = Array.from({ length: backlog.webhooks }, (_, index) =>
    webhookEvent({
      id: `webhook-${index}`,
      entityType: 'Contact',
      type: 'create',
      url: receiver.url,
      partitions: PARTITIONS,
      secretKey,
    }),
  );
  await fillLog({ kafka, topic: topics.directory, partitions: 1 }, webhooks);
  const records = { kafka, topic: topics.records, partitions: PARTITIONS };
  await fillLog(records, newContactEvents(backlog.events));

  await receiver.reset();
  const dispatcher = await startService(context, 'dispatcher', {
    ...toKafkaVariables(kafka),
    ANNALS_TOPIC_PREFIX: prefix,
    ANNALS_SECRET_KEY: secretKey,
    WEBHOOK_BATCH_SIZE: `${backlog.eventsPerRequest}`,
    ...unlimited,
    ...opening(receiver),
  });
  const events = backlog.webhooks * backlog.events;
  const counts = await receiver.waitForEvents(events, dispatcher.requireRunning);
  await dispatcher.stop();
  return counts;
}
