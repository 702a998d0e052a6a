import kafkajs, {
  type Admin,
  type ConfigEntries,
  type ITopicMetadata,
  type ResourceConfigQuery,
} from 'kafkajs';
import type { Logger } from 'pino';
import { createKafkajsClient, type KafkaAddress } from './connection.ts';
import { toUnavailable } from './to-unavailable.ts';

// Node does not detect these named exports of a CommonJS module.
const { ConfigResourceTypes, ConfigSource } = kafkajs;

export interface FoundTopic {
  readonly topic: string;
  readonly partitions: readonly FoundPartition[];
  /** The effective settings, whether set for the topic or inherited from the broker. */
  readonly settings: ReadonlyMap<string, string>;
}

interface FoundPartition {
  readonly partition: number;
  readonly hasLeader: boolean;
  readonly replicas: number;
  readonly inSync: number;
}

export interface FoundTopics {
  /** The number of brokers: running ones, and absent ones with replicas. */
  readonly brokers: number;
  /** Ids of brokers with replicas of these topics that are not running. */
  readonly away: readonly number[];
  /** The requested topics that exist. */
  readonly topics: readonly FoundTopic[];
}

/** Describes the topics that exist. Throws Unavailable. */
export function describeTopics(
  address: KafkaAddress,
  wanted: readonly string[],
  log: Logger,
): Promise<FoundTopics> {
  return withAdmin(address, log, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const names = wanted.filter((name) => existing.has(name));
    const { brokers } = await admin.describeCluster();
    if (names.length === 0) return { brokers: brokers.length, away: [], topics: [] };
    const { topics } = await admin.fetchTopicMetadata({ topics: names });
    const settings = await readSettings(admin, ConfigResourceTypes.TOPIC, names);
    const inService = new Set(brokers.map(({ nodeId }) => nodeId));
    const away = holdersOf(topics).difference(inService);
    return {
      brokers: inService.size + away.size,
      away: [...away].toSorted((one, other) => one - other),
      topics: topics.map(({ name, partitions }) => ({
        topic: name,
        partitions: partitions
          .map(({ partitionId, leader, replicas, isr }) => ({
            partition: partitionId,
            hasLeader: leader >= 0,
            replicas: replicas.length,
            inSync: isr.length,
          }))
          .sort((one, other) => one.partition - other.partition),
        settings: toValues(settings.get(name)),
      })),
    };
  });
}

/** Returns the ids of brokers that have, or should have, a replica of any partition. */
function holdersOf(topics: readonly ITopicMetadata[]): ReadonlySet<number> {
  const partitions = topics.flatMap((topic) => topic.partitions);
  return new Set(partitions.flatMap(({ replicas }) => replicas));
}

/** Changes these settings of existing topics, and keeps all others. Throws Unavailable. */
export function changeTopicSettings(
  address: KafkaAddress,
  changes: ReadonlyMap<string, ReadonlyMap<string, string>>,
  log: Logger,
): Promise<void> {
  return withAdmin(address, log, async (admin) => {
    const settings = await readSettings(admin, ConfigResourceTypes.TOPIC, [...changes.keys()]);
    const resources = [...changes].map(([name, changed]) => {
      // The request replaces all settings of the topic, so the existing settings are sent again.
      const own = settings
        .get(name)
        ?.filter(({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG);
      const configEntries = [...new Map([...toValues(own), ...changed])].map(([key, value]) => ({
        name: key,
        value,
      }));
      return { type: ConfigResourceTypes.TOPIC, name, configEntries };
    });
    await admin.alterConfigs({ validateOnly: false, resources });
  });
}

/** Runs `work` on a separate connection. Kafka errors become Unavailable with a message that starts with `what`. */
export async function withAdmin<Result>(
  address: KafkaAddress,
  log: Logger,
  work: (admin: Admin) => Promise<Result>,
  what = 'Kafka',
): Promise<Result> {
  const admin = createKafkajsClient(address, log).admin();
  try {
    await admin.connect();
    return await work(admin);
  } catch (cause) {
    throw toUnavailable(what, cause);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

/** Reads the settings of topics, or of brokers, by id. */
export async function readSettings(
  admin: Admin,
  type: ResourceConfigQuery['type'],
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly ConfigEntries[]>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type, name })),
  });
  return new Map(resources.map(({ resourceName, configEntries }) => [resourceName, configEntries]));
}

export function toValues(entries: readonly ConfigEntries[] = []): ReadonlyMap<string, string> {
  return new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
}
