import kafkajs, { type Admin } from 'kafkajs';
import type { Logger } from 'pino';
import type { KafkaAddress, KafkaConnection } from './connection.ts';
import { readSettings, toValues, withAdmin } from './describe-topics.ts';

export interface FoundBroker {
  readonly id: number;
  /** The effective settings; empty if this client is not authorised to read them. */
  readonly settings: ReadonlyMap<string, string>;
}

/** The brokers in service. Throws Unavailable. */
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

/** The protocol's number of the request that a member of a group joins with, and the version that has instance ids. */
const joinGroup = { key: 11, leastVersion: 5, since: '2.3' };
/** A request that came with Kafka 3.9, the oldest release that kafkajs was seen to work with. */
const CAME_WITH_TESTED = 80;

export type KafkaAge = 'tested' | 'untested' | 'too old';

/** Brokers do not report their release, only the requests that they support. */
export function judgeAge(
  versions: Readonly<Record<number, { readonly maxVersion: number } | undefined>>,
): KafkaAge {
  if ((versions[joinGroup.key]?.maxVersion ?? -1) < joinGroup.leastVersion) return 'too old';
  return versions[CAME_WITH_TESTED] === undefined ? 'untested' : 'tested';
}

/** The release of the broker that is asked first. Throws Unavailable. */
export function readKafkaAge(connection: KafkaConnection, groupId: string): Promise<KafkaAge> {
  return connection.onCoordinator(groupId, async ({ versions }) => judgeAge(versions));
}
