import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import type { Logger } from 'pino';
import type { KafkaAddress } from './connection.ts';
import { withAdmin } from './describe-topics.ts';

/** The topics of one installation, all under one prefix (`annals` by default). */
export interface TopicNames {
  /** Contains the mark that identifies the log and its installation (shared/installation). */
  readonly installation: string;
  readonly directory: string;
  readonly records: string;
  /** Contents of files, in pieces. */
  readonly files: string;
  readonly webhookBatches: string;
  /** Batches that wait for room in their webhook's queue. */
  readonly webhookOverflow: string;
  /** The retry topics in order: after the first failed attempt, after the second, … */
  readonly webhookRetries: readonly [string, string, string];
  readonly webhookAttempts: string;
  readonly webhookDeadLetters: string;
  /** The last sequence number of each webhook that numbers its events; compacted. */
  readonly webhookSequences: string;
  /** The progress of each replay; compacted. */
  readonly webhookReplays: string;
}

export function topicNames(prefix: string): TopicNames {
  return {
    installation: `${prefix}.installation`,
    directory: `${prefix}.directory`,
    records: `${prefix}.records`,
    files: `${prefix}.files`,
    webhookBatches: `${prefix}.webhook-batches`,
    webhookOverflow: `${prefix}.webhook-overflow`,
    webhookRetries: [
      `${prefix}.webhook-retry-1`,
      `${prefix}.webhook-retry-2`,
      `${prefix}.webhook-retry-3`,
    ],
    webhookAttempts: `${prefix}.webhook-attempts`,
    webhookDeadLetters: `${prefix}.webhook-dead-letters`,
    webhookSequences: `${prefix}.webhook-sequences`,
    webhookReplays: `${prefix}.webhook-replays`,
  };
}

/** Returns the topics in which batches wait for room or for another attempt. */
export function waitingTopics({ webhookOverflow, webhookRetries }: TopicNames): string[] {
  return [webhookOverflow, ...webhookRetries];
}

/** Returns the Kafka group that stores the positions of delivery. */
export const deliveryGroup = (topicPrefix: string): string => `${topicPrefix}.deliver`;

/** Returns the topics from which batches are delivered. */
export function deliveredTopics(names: TopicNames): readonly string[] {
  return [names.webhookBatches, ...waitingTopics(names)];
}

interface TopicPlan {
  readonly recordPartitions: number;
}

export interface WantedTopic {
  readonly topic: string;
  readonly numPartitions: number;
  readonly replicationFactor: number;
  readonly configEntries: readonly { readonly name: string; readonly value: string }[];
}

const SERVED_WITHIN_MS = 10_000;
const SERVED_POLL_MS = 50;

/**
 * Creates missing topics with their settings, and resolves with their names. Existing topics are not changed. Several
 * processes may run this simultaneously. Must be called only if missing topics are known not to be lost
 * (shared/installation). The topics of the log keep all messages forever; on a single broker, their appends are flushed
 * to disk before they are acknowledged.
 */
export function ensureTopics(
  address: KafkaAddress,
  names: TopicNames,
  plan: TopicPlan,
  log: Logger,
): Promise<readonly string[]> {
  const createMissing = async (admin: Admin): Promise<readonly string[]> => {
    const existing = new Set(await admin.listTopics());
    const { brokers } = await admin.describeCluster();
    const wanted = wantedTopics(names, plan, brokers.length);
    const topics = wanted
      .filter(({ topic }) => !existing.has(topic))
      .map((topic) => ({ ...topic, configEntries: [...topic.configEntries] }));
    if (topics.length === 0) return [];
    await admin.createTopics({ waitForLeaders: false, topics });
    const created = topics.map(({ topic }) => topic);
    for (const topic of created) await untilServed(admin, topic);
    log.info({ topics: created }, 'topics created');
    return created;
  };
  return withAdmin(address, log, createMissing, 'cannot create topics');
}

/**
 * Returns the topics of the first version, which are created together: Kafka carries out a request to create topics
 * entirely or not at all.
 */
export function firstTopics(names: TopicNames): readonly string[] {
  const { directory, records, webhookBatches, webhookRetries, webhookAttempts } = names;
  return [directory, records, webhookBatches, ...webhookRetries, webhookAttempts];
}

/**
 * Replaces kafkajs' `waitForLeaders`, which fails while a broker does not know the topic yet, and returns when the
 * leader is elected but may not serve the partition yet. A request for offsets detects both.
 */
async function untilServed(admin: Admin, topic: string): Promise<void> {
  const deadline = Date.now() + SERVED_WITHIN_MS;
  for (;;) {
    try {
      await admin.fetchTopicOffsets(topic);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await sleep(SERVED_POLL_MS);
  }
}

/** Returns all topics of Annals with their settings, for this number of brokers. */
export function wantedTopics(
  names: TopicNames,
  { recordPartitions }: TopicPlan,
  brokers: number,
): readonly WantedTopic[] {
  const replicationFactor = Math.min(brokers, 3);
  const keepAll = [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: '-1' },
    { name: 'retention.bytes', value: '-1' },
    { name: 'min.insync.replicas', value: replicationFactor >= 3 ? '2' : '1' },
    { name: 'unclean.leader.election.enable', value: 'false' },
    // An event may contain both the old and the new value of texts that fill a whole request.
    { name: 'max.message.bytes', value: String(8 * 1024 * 1024) },
  ];
  const compacted = keepAll.map(({ name, value }) => ({
    name,
    value: name === 'cleanup.policy' ? 'compact' : value,
  }));
  const truth =
    replicationFactor === 1 ? [...keepAll, { name: 'flush.messages', value: '1' }] : keepAll;
  // Processed messages are deleted one segment at a time.
  const trimmed = [...keepAll, { name: 'segment.bytes', value: String(64 * 1024 * 1024) }];
  // Kafka does not compact the active segment, and a partition's delivery reads the whole topic when it starts.
  const sequences = [...compacted, { name: 'segment.bytes', value: String(16 * 1024 * 1024) }];
  const topic = (name: string, numPartitions: number, configEntries: typeof keepAll) => ({
    topic: name,
    numPartitions,
    replicationFactor,
    configEntries,
  });
  return [
    topic(names.installation, 1, truth),
    topic(names.directory, 1, truth),
    topic(names.records, recordPartitions, truth),
    topic(names.files, recordPartitions, truth),
    topic(names.webhookBatches, recordPartitions, keepAll),
    ...waitingTopics(names).map((name) => topic(name, recordPartitions, trimmed)),
    topic(names.webhookAttempts, recordPartitions, keepAll),
    topic(names.webhookDeadLetters, 1, keepAll),
    topic(names.webhookSequences, 1, sequences),
    topic(names.webhookReplays, 1, compacted),
  ];
}
