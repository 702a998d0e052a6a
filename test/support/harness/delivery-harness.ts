import { randomUUID } from 'node:crypto';
import { type Logger, pino } from 'pino';
import { type KafkaAccess, toKafkaAddress } from '../../../infra/local/kafka/kafka-access.ts';
import type { DispatcherConfig } from '../../../services/dispatcher/config.ts';
import type { DispatcherContext } from '../../../services/dispatcher/context.ts';
import type { Room } from '../../../services/dispatcher/deliver/progress/in-flight-window.ts';
import { deliveryGroup } from '../../../services/dispatcher/deliver/progress/load-progress.ts';
import { trimRetries } from '../../../services/dispatcher/deliver/progress/trim-retries.ts';
import { Delivery } from '../../../services/dispatcher/deliver/run-delivery.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { ReceiverDirectory } from '../../../shared/events/events-for-receiver.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import {
  decodeWebhookAttempt,
  type WebhookAttempt,
} from '../../../shared/events/webhook-attempt-codec.ts';
import {
  decodeWebhookBatch,
  encodeWebhookBatch,
  type WebhookBatch,
} from '../../../shared/events/webhook-batch-codec.ts';
import { createAppendMessages } from '../../../shared/kafka/append.ts';
import { createKafkaConnection, type KafkaAddress } from '../../../shared/kafka/connection.ts';
import { withAdmin } from '../../../shared/kafka/describe-topics.ts';
import { ensureTopics, type TopicNames, topicNames } from '../../../shared/kafka/topics.ts';
import { systemClock } from '../../../shared/runtime/clock.ts';
import { createMetrics } from '../../../shared/runtime/metrics.ts';
import { dispatcherContext } from '../builders/dispatcher-context.ts';
import { createLogReader, type LogReader } from '../log/log-reader.ts';
import { createOpenableGuard } from '../receivers/target-guard.ts';

const PARTITIONS = 2;
const done = async (): Promise<void> => undefined;

type DeliveryConfig = DispatcherConfig['delivery'];

const quickDelivery: DeliveryConfig = {
  maxAttempts: 4,
  failAttemptPeriodMs: 200,
  connectTimeoutMs: 500,
  timeoutMs: 1_500,
  maxConcurrentRequests: 50,
  maxRequestsPerHost: 50,
};

export interface StartOptions extends Partial<DeliveryConfig> {
  /** 0, the default, means no limit. */
  readonly requestsPerRun?: number;
  readonly memory?: Room;
  readonly removeWebhook?: (webhookId: string) => Promise<void>;
  readonly catchUp?: () => Promise<void>;
  /** Users and roles. */
  readonly users?: ReceiverDirectory;
}

interface StartedDelivery {
  readonly counts: Delivery['counts'];
  startRun(): void;
  close(): Promise<void>;
}

/** Webhooks without a user, so that roles do not matter. */
const noUsers = createDirectory([]);

export type DeliveryHarness = Awaited<ReturnType<typeof createDeliveryHarness>>;

/** Runs delivery alone, on its own topics, with webhooks in a map instead of a directory log. */
export async function createDeliveryHarness(access: KafkaAccess, partitions = PARTITIONS) {
  const log = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
  const kafka = toKafkaAddress(access, 'delivery-test');
  const topicPrefix = `test-${randomUUID()}`;
  const topics = topicNames(topicPrefix);
  await ensureTopics(kafka, topics, { recordPartitions: partitions }, log);
  const connection = createKafkaConnection(kafka, log);
  const append = createAppendMessages(connection);
  const reader = createLogReader(access);
  const guard = createOpenableGuard();
  const webhooks = createWebhooks((host) => guard.open(host));
  const running: StartedDelivery[] = [];
  const failures: unknown[] = [];
  const shared = {
    kafka,
    topics,
    partitions,
    log,
    untilRoom: done,
    secrets: { open: (sealed: string) => sealed },
    guard,
    crash: (error: unknown) => failures.push(error),
    clock: systemClock,
  };

  return {
    topics,
    topicPrefix,
    append,
    failures,
    putWebhook: webhooks.put,
    changeWebhook: webhooks.change,
    activate: webhooks.activate,
    enqueue: createEnqueue(append, topics, partitions),
    /** Delivers all partitions. */
    start({
      requestsPerRun = 0,
      memory,
      removeWebhook = done,
      catchUp = done,
      users = noUsers,
      ...config
    }: StartOptions = {}): StartedDelivery {
      const context = dispatcherContext({
        ...shared,
        config: {
          topicPrefix,
          requestPortionSize: requestsPerRun,
          delivery: { ...quickDelivery, ...config },
        },
        directory: webhooks.with(users),
        catchUp,
        removeWebhook,
        metrics: createMetrics('delivery-test'),
      });
      const delivery = startAll(context, memory);
      running.push(delivery);
      return delivery;
    },
    ...reachRetries({ kafka, topics, topicPrefix, log, reader }),
    ...readOutcomes(reader, topics),
    async close(): Promise<void> {
      await Promise.all(running.map((delivery) => delivery.close()));
      await connection.close();
      await reader.close();
    },
  };
}

interface RetriesPlace {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  readonly topicPrefix: string;
  readonly log: Logger;
  readonly reader: LogReader;
}

function reachRetries({ kafka, topics, topicPrefix, log, reader }: RetriesPlace) {
  const groupId = deliveryGroup(topicPrefix);
  const [first] = topics.webhookRetries;
  return {
    trim: (): Promise<void> =>
      trimRetries(dispatcherContext({ kafka, config: { topics, topicPrefix }, log })),
    /** Commits the first retry topic, as if delivery had recorded all outcomes. */
    passRetries: (): Promise<void> =>
      withAdmin(kafka, log, async (admin) => {
        const ends = await admin.fetchTopicOffsets(first);
        const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
        await admin.setOffsets({ groupId, topic: first, partitions });
      }),
    /** Counts the entries of the first retry topic. */
    retries: async (): Promise<number> => (await reader.messages(first)).flat().length,
  };
}

function createWebhooks(open: (host: string) => void) {
  const webhooks = new Map<string, RecordState>();

  function change(id: string, parts: Partial<RecordState>): void {
    const state = webhooks.get(id);
    if (state !== undefined) webhooks.set(id, { ...state, ...parts });
  }

  return {
    /** A directory with the webhooks and these users. */
    with: ({ entity, actor, record }: ReceiverDirectory): ReceiverDirectory => ({
      entity,
      actor,
      record: (type, id) => webhooks.get(id) ?? record(type, id),
    }),
    put(url: string, values: Readonly<Record<string, boolean | string>> = {}): string {
      const id = randomUUID();
      open(new URL(url).host);
      const all = { event: 'Account.create', url, isActive: true, secretKey: 'secret', ...values };
      webhooks.set(id, { entityType: 'Webhook', id, version: 1, deleted: false, values: all });
      return id;
    },
    change,
    activate: (id: string) =>
      change(id, { values: { ...webhooks.get(id)?.values, isActive: true } }),
  };
}

function readOutcomes(reader: LogReader, topics: TopicNames) {
  return {
    attempts: async (): Promise<readonly WebhookAttempt[]> =>
      (await reader.messages(topics.webhookAttempts))
        .flat()
        .map(({ value }) => decodeWebhookAttempt(value)),
    deadLetters: async (): Promise<readonly WebhookBatch[]> =>
      (await reader.messages(topics.webhookDeadLetters))
        .flat()
        .map(({ value }) => decodeWebhookBatch(value)),
  };
}

function startAll(context: DispatcherContext, memory?: Room): StartedDelivery {
  const delivery = new Delivery(context, memory);
  const parts = Array.from({ length: context.partitions }, (_, partition) =>
    delivery.open(partition, context.crash),
  );
  return {
    counts: delivery.counts,
    startRun: () => delivery.startRun(),
    async close() {
      await Promise.all(parts.map((part) => part.close()));
      await delivery.close();
    },
  };
}

function createEnqueue(
  append: ReturnType<typeof createAppendMessages>,
  { webhookBatches }: TopicNames,
  partitions: number,
) {
  return async (...batches: readonly WebhookBatch[]): Promise<void> => {
    const byPartition = Map.groupBy(batches, ({ webhookId }) => partitionOf(webhookId, partitions));
    for (const [partition, group] of byPartition) {
      const messages = group.map((batch) => ({
        key: batch.webhookId,
        value: encodeWebhookBatch(batch),
      }));
      await append(webhookBatches, partition, messages);
    }
  };
}
