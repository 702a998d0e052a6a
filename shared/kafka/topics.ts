import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import type { Logger } from 'pino';
import type { KafkaAddress } from './connection.ts';
import { createKafkajsClient } from './kafkajs-client.ts';
import { toUnavailable } from './to-unavailable.ts';

/** The topics of one Annals, all under one prefix (`annals` unless an operator or a test says otherwise). */
export interface TopicNames {
  /** What says which log this is, and whose: shared/installation. */
  readonly installation: string;
  readonly directory: string;
  readonly records: string;
  /** The bytes of files, in pieces. */
  readonly files: string;
  readonly webhookBatches: string;
  /** Batches whose lane has no room yet. */
  readonly webhookOverflow: string;
  /** In order: after the first failed attempt, after the second … */
  readonly webhookRetries: readonly [string, string, string];
  readonly webhookAttempts: string;
  readonly webhookDeadLetters: string;
  /** The last sequence number of each webhook that numbers its events; compacted. */
  readonly webhookSequences: string;
  /** How far each replay has come; compacted. */
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

type WaitingTopics = Pick<TopicNames, 'webhookOverflow' | 'webhookRetries'>;

/** Where batches wait for room, or for another attempt. */
export function waitingTopics({ webhookOverflow, webhookRetries }: WaitingTopics): string[] {
  return [webhookOverflow, ...webhookRetries];
}

/** Those from which batches are delivered. */
export function deliveredTopics(
  names: WaitingTopics & Pick<TopicNames, 'webhookBatches'>,
): readonly string[] {
  return [names.webhookBatches, ...waitingTopics(names)];
}

export interface TopicPlan {
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
 * Creates the topics that are missing, with their settings, and answers their names; existing ones stay as they are.
 * Whether one of them was lost is for the caller to know: shared/installation. Safe to run from several processes at
 * once. Truth topics keep everything for ever and, where a single broker holds the only copy, reach the disk before an
 * append is acknowledged.
 */
export async function ensureTopics(
  address: KafkaAddress,
  names: TopicNames,
  plan: TopicPlan,
  log: Logger,
): Promise<readonly string[]> {
  const admin = createKafkajsClient(address, log).admin();
  try {
    await admin.connect();
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
  } catch (cause) {
    throw toUnavailable('cannot create topics', cause);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

/** Those of the first version, which come into being together: a request to make topics is carried out whole or not at all. */
export function firstTopics(names: TopicNames): readonly string[] {
  const { directory, records, webhookBatches, webhookRetries, webhookAttempts } = names;
  return [directory, records, webhookBatches, ...webhookRetries, webhookAttempts];
}

/**
 * kafkajs' own `waitForLeaders` gives up when a broker has not heard of the topic yet, and does not see that a leader
 * may be named a moment before it serves the partition. Asking for offsets shows both.
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

/** Every topic of Annals with its settings, on so many brokers. */
export function wantedTopics(
  names: TopicNames,
  { recordPartitions }: TopicPlan,
  brokers: number,
): readonly WantedTopic[] {
  const replicationFactor = Math.min(brokers, 3);
  const forEver = [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: '-1' },
    { name: 'retention.bytes', value: '-1' },
    { name: 'min.insync.replicas', value: replicationFactor >= 3 ? '2' : '1' },
    { name: 'unclean.leader.election.enable', value: 'false' },
    // A change may carry the old and the new value of texts that fill a whole request.
    { name: 'max.message.bytes', value: String(8 * 1024 * 1024) },
  ];
  const compacted = forEver.map(({ name, value }) => ({
    name,
    value: name === 'cleanup.policy' ? 'compact' : value,
  }));
  const truth =
    replicationFactor === 1 ? [...forEver, { name: 'flush.messages', value: '1' }] : forEver;
  // What was passed is deleted, a segment at a time.
  const trimmed = [...forEver, { name: 'segment.bytes', value: String(64 * 1024 * 1024) }];
  const topic = (name: string, numPartitions: number, configEntries: typeof forEver) => ({
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
    topic(names.webhookBatches, recordPartitions, forEver),
    ...waitingTopics(names).map((name) => topic(name, recordPartitions, trimmed)),
    topic(names.webhookAttempts, recordPartitions, forEver),
    topic(names.webhookDeadLetters, 1, forEver),
    topic(names.webhookSequences, 1, compacted),
    topic(names.webhookReplays, 1, compacted),
  ];
}
