import { randomUUID } from 'node:crypto';
import { type Logger, pino } from 'pino';
import { type KafkaAccess, toKafkaAddress } from '../../../infra/local/kafka/kafka-access.ts';
import type { DeliveryConfig } from '../../../services/dispatcher/deliver/delivery-config.ts';
import type { Room } from '../../../services/dispatcher/deliver/intake/memory-budget.ts';
import { trimRetries } from '../../../services/dispatcher/deliver/progress/trim-retries.ts';
import {
  type RunningDelivery,
  runDelivery,
} from '../../../services/dispatcher/deliver/run-delivery.ts';
import {
  createPermits,
  type Permits,
} from '../../../services/dispatcher/deliver/scheduling/permits.ts';
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
import { deliveryGroup, ensureTopics, type TopicNames, topicNames } from '../../../shared/kafka/topics.ts';
import { systemClock } from '../../../shared/runtime/clock.ts';
import { createMetrics } from '../../../shared/runtime/metrics.ts';
import { createLogReader, type LogReader } from '../log/log-reader.ts';
import { createOpenableGuard } from '../receivers/target-guard.ts';

const PARTITIONS = 2;

const quickDelivery: DeliveryConfig = {
  maxAttempts: 4,
  failAttemptPeriodMs: 200,
  connectTimeoutMs: 500,
  timeoutMs: 1_500,
  maxConcurrentRequests: 50,
  maxRequestsPerHost: 50,
};

export interface StartOptions extends Partial<DeliveryConfig> {
  readonly permits?: Permits;
  readonly memory?: Room;
  readonly removeWebhook?: (webhookId: string) => Promise<void>;
  readonly catchUp?: () => Promise<void>;
  /** Users and roles. */
  readonly users?: ReceiverDirectory;
}

type StartedDelivery = Pick<RunningDelivery, 'counts' | 'close'>;

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

  return {
    topics,
    topicPrefix,
    append,
    failures,
    putWebhook: webhooks.put,
    changeWebhook: webhooks.change,
    activate: webhooks.activate,
    async enqueue(...batches: readonly WebhookBatch[]): Promise<void> {
      const byPartition = Map.groupBy(batches, ({ webhookId }) =>
        partitionOf(webhookId, partitions),
      );
      for (const [partition, group] of byPartition) {
        const messages = group.map((batch) => ({
          key: batch.webhookId,
          value: encodeWebhookBatch(batch),
        }));
        await append(topics.webhookBatches, partition, messages);
      }
    },
    /** Delivers all partitions. */
    start({
      permits,
      memory,
      removeWebhook,
      catchUp,
      users = noUsers,
      ...config
    }: StartOptions = {}): StartedDelivery {
      const delivery = startAll({
        kafka,
        topics,
        topicPrefix,
        partitions,
        log,
        permits: permits ?? createPermits(0),
        ...(memory === undefined ? {} : { memory }),
        config: { ...quickDelivery, ...config },
        directory: webhooks.with(users),
        catchUp: catchUp ?? (async () => undefined),
        untilRoom: async () => undefined,
        secrets: { open: (sealed) => sealed },
        removeWebhook: removeWebhook ?? (async () => undefined),
        guard,
        onBug: (error) => failures.push(error),
      });
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
  const positionsGroup = deliveryGroup(topicPrefix);
  const [first] = topics.webhookRetries;
  return {
    trim: (): Promise<void> =>
      trimRetries({ kafka, topics: topics.webhookRetries, positionsGroup, log }),
    /** Commits the first retry topic, as if delivery had recorded all outcomes. */
    passRetries: (): Promise<void> =>
      withAdmin(kafka, log, async (admin) => {
        const ends = await admin.fetchTopicOffsets(first);
        const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
        await admin.setOffsets({ groupId: positionsGroup, topic: first, partitions });
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

function startAll(
  deps: Omit<Parameters<typeof runDelivery>[0], 'metrics' | 'clock'>,
): StartedDelivery {
  const metrics = createMetrics('delivery-test');
  const delivery = runDelivery({ ...deps, metrics, clock: systemClock });
  const parts = Array.from({ length: deps.partitions }, (_, partition) =>
    delivery.open(partition, deps.onBug),
  );
  return {
    counts: delivery.counts,
    async close() {
      await Promise.all(parts.map((part) => part.close()));
      await delivery.close();
    },
  };
}
