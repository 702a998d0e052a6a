import kafkajs, { type Admin } from 'kafkajs';
import type { Logger } from 'pino';
import type { KafkaAddress, KafkaConnection } from './connection.ts';
import { readSettings, toValues, withAdmin } from './describe-topics.ts';

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

export type KafkaAge = 'tested' | 'untested' | 'too old';

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
