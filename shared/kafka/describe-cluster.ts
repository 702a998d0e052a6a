import kafkajs, { type Admin } from 'kafkajs';
import type { Logger } from 'pino';
import { Unavailable } from '../domain/errors.ts';
import type { KafkaAddress, KafkaConnection } from './connection.ts';
import { readSettings, toValues, withAdmin } from './describe-topics.ts';
import { endOffset, readPartitions } from './read-partitions.ts';

export interface FoundBroker {
  readonly id: number;
  /** The effective settings; empty if this client is not authorized to read them. */
  readonly settings: ReadonlyMap<string, string>;
}

/** Returns the running brokers. Throws Unavailable. */
export function describeBrokers(
  address: KafkaAddress,
  log: Logger,
): Promise<readonly FoundBroker[]> {
  return withAdmin(address, log, async (admin) => {
    const { brokers } = await admin.describeCluster();
    const settings = await readBrokerSettings(
      admin,
      brokers.map(({ nodeId }) => String(nodeId)),
    );
    return brokers.map(({ nodeId }) => ({
      id: nodeId,
      settings: toValues(settings.get(String(nodeId))),
    }));
  });
}

async function readBrokerSettings(
  admin: Admin,
  ids: readonly string[],
): ReturnType<typeof readSettings> {
  try {
    return await readSettings(admin, kafkajs.ConfigResourceTypes.BROKER, ids);
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'CLUSTER_AUTHORIZATION_FAILED')
      return new Map();
    throw error;
  }
}

/** The JoinGroup request: its API key, and the first version with instance ids. */
const joinGroup = { key: 11, leastVersion: 5, since: '2.3' };
/** A request type introduced in Kafka 3.9, the oldest release that is tested with kafkajs. */
const INTRODUCED_IN_TESTED = 80;

type KafkaAge = 'tested' | 'untested' | 'too old';

/** Classifies a broker by the requests that it supports, because brokers do not report their release. */
export function classifyAge(
  versions: Readonly<Record<number, { readonly maxVersion: number } | undefined>>,
): KafkaAge {
  if ((versions[joinGroup.key]?.maxVersion ?? -1) < joinGroup.leastVersion) return 'too old';
  return versions[INTRODUCED_IN_TESTED] === undefined ? 'untested' : 'tested';
}

/** Returns the age of the group's coordinator. Throws Unavailable. */
export function readKafkaAge(connection: KafkaConnection, groupId: string): Promise<KafkaAge> {
  return connection.onCoordinator(groupId, async ({ versions }) => classifyAge(versions));
}

const offsetsTopic = '__consumer_offsets';

/**
 * Reads a broker's clock in milliseconds since 1970, and this machine's clock right before and after. Kafka has no
 * request for the time, but timestamps its own messages, so this function commits an offset for an unused group and
 * reads the message that the broker wrote for it. Kafka deletes the offset after a week. The group must have no members
 * and no other use; `topic` can be any existing topic. Throws Unavailable, including when this client may not read
 * `__consumer_offsets`.
 */
export async function readBrokerClock(
  connection: KafkaConnection,
  { groupId, topic }: { readonly groupId: string; readonly topic: string },
): Promise<{ readonly broker: number; readonly before: number; readonly after: number }> {
  const partitions = await connection.partitionsOf(offsetsTopic);
  const partition = Math.abs(hashOf(groupId)) % partitions;
  const offset = await endOffset(connection, offsetsTopic, partition);
  const before = Date.now();
  await connection.onCoordinator(groupId, (broker) =>
    broker.offsetCommit({
      groupId,
      groupGenerationId: -1,
      memberId: '',
      topics: [{ topic, partitions: [{ partition: 0, offset: '0' }] }],
    }),
  );
  const after = Date.now();
  const [found] = await readPartitions(connection, [{ topic: offsetsTopic, partition, offset }], {
    maxWaitMs: 500,
    maxBytes: 1024 * 1024,
    maxBytesPerPartition: 1024 * 1024,
  });
  const own = found?.messages.find(({ key }) => key?.includes(groupId));
  if (own === undefined) {
    throw new Unavailable(`Kafka: cannot read the position of ${groupId} in ${offsetsTopic}`);
  }
  return { broker: own.timestamp, before, after };
}

/** Java's string hash, by which Kafka chooses the partition for the offsets of a group. */
function hashOf(text: string): number {
  let hash = 0;
  for (const unit of text.split('')) hash = (Math.imul(hash, 31) + unit.charCodeAt(0)) | 0;
  return hash;
}
