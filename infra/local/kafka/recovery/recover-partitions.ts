import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { topicNames, wantedTopics } from '../../../../shared/kafka/topics.ts';
import { OperatorError } from '../../operator-error.ts';
import { formatKafka, kafkaLogDirectory, type StartKafkaOptions } from '../start-kafka.ts';
import { encodeTopics } from './metadata-log.ts';
import { findPartitions } from './partition-directory.ts';
import { planRecovery, type RecoveryPlan, type TopicOnDisk } from './plan-recovery.ts';

/** Returns undefined if no partition is stray. Throws OperatorError if recovery is impossible. */
export function findRecovery(dataDir: string): RecoveryPlan | undefined {
  const found = findPartitions(kafkaLogDirectory(dataDir));
  if (!found.some(({ isStray }) => isStray) && !existsSync(formatted(dataDir))) return undefined;
  const verdict = planRecovery(found);
  if ('obstacle' in verdict) {
    throw new OperatorError(`${verdict.obstacle} Nothing was changed: restore a backup.`);
  }
  return verdict;
}

/**
 * Restores stray partitions of a stopped Kafka, and creates a new metadata log that lists them, with their ids and the
 * cluster id. Can be run again after it was killed. Returns the directory that contains the replaced files.
 */
export async function recoverPartitions(
  plan: RecoveryPlan,
  options: StartKafkaOptions,
): Promise<string> {
  const { dataDir } = options;
  const logDirectory = kafkaLogDirectory(dataDir);
  const target = formatted(dataDir);
  rmSync(target, { recursive: true, force: true });
  await formatKafka(target, readProperty(logDirectory, 'cluster.id'), options);
  const holder = {
    brokerId: Number(readProperty(target, 'node.id')),
    directoryId: Buffer.from(readProperty(target, 'directory.id'), 'base64url'),
  };
  const topics = plan.topics.map((topic) => toKnownTopic(topic, plan.topics));
  // Far beyond any id in use, because Kafka counts ids from 0.
  const nextProducerId = BigInt(Date.now());
  appendFileSync(join(target, bootstrapFile), encodeTopics(topics, holder, nextProducerId));

  const before = join(dataDir, `before-recovery-${Date.now()}`);
  mkdirSync(before, { mode: 0o700 });
  for (const { name } of plan.setAside) renameSync(join(logDirectory, name), join(before, name));
  for (const { name, topic, partition } of plan.topics.flatMap(({ partitions }) => partitions)) {
    renameSync(join(logDirectory, name), join(logDirectory, `${topic}-${partition}`));
  }
  exchangeMetadata(dataDir, before);
  return before;
}

const bootstrapFile = 'bootstrap.checkpoint';
/** Identifies the cluster. Replaced last, because the command can be run again until then. */
const propertiesFile = 'meta.properties';

/** Directory in which the new metadata log is created; removed at the end. */
const formatted = (dataDir: string): string => join(dataDir, 'data.recovered');

/**
 * Replaces the broker's metadata, which did not list the partitions, and its checkpoints, such as the offsets up to
 * which partitions were flushed.
 */
function exchangeMetadata(dataDir: string, before: string): void {
  const logDirectory = kafkaLogDirectory(dataDir);
  const target = formatted(dataDir);
  const partitions = new Set(findPartitions(logDirectory).map(({ name }) => name));
  for (const name of readdirSync(logDirectory)) {
    if (partitions.has(name) || name === propertiesFile || name === '.lock') continue;
    renameSync(join(logDirectory, name), join(before, name));
  }
  for (const name of readdirSync(target).filter((each) => each !== propertiesFile)) {
    renameSync(join(target, name), join(logDirectory, name));
  }
  renameSync(join(target, propertiesFile), join(logDirectory, propertiesFile));
  rmSync(target, { recursive: true });
}

function readProperty(logDirectory: string, name: string): string {
  const path = join(logDirectory, propertiesFile);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const value = lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  if (value === undefined) throw new OperatorError(`${path} does not contain ${name}.`);
  return value.trim();
}

function toKnownTopic(topic: TopicOnDisk, all: readonly TopicOnDisk[]) {
  const { name, id, partitions } = topic;
  return {
    name,
    id: Buffer.from(id, 'base64url'),
    settings: settingsOf(name, all),
    partitions: partitions.map(({ leaderEpoch }) => ({ leaderEpoch: leaderEpoch + 1 })),
  };
}

/** Returns the settings that Annals, or for an internal topic Kafka, uses to create the topic. */
function settingsOf(name: string, all: readonly TopicOnDisk[]): ReadonlyMap<string, string> {
  const kafkas = settingsOfKafka.get(name);
  if (kafkas !== undefined) return kafkas;
  const prefixes = all.flatMap((each) => /^(.+)\.directory$/.exec(each.name)?.[1] ?? []);
  const wanted = prefixes
    .flatMap((prefix) => wantedTopics(topicNames(prefix), { recordPartitions: 1 }, 1))
    .find(({ topic }) => topic === name);
  return new Map((wanted?.configEntries ?? []).map((entry) => [entry.name, entry.value]));
}

const compacted = [
  ['cleanup.policy', 'compact'],
  ['segment.bytes', '104857600'],
] as const;
const settingsOfKafka: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['__consumer_offsets', new Map([...compacted, ['compression.type', 'producer']])],
  [
    '__transaction_state',
    new Map([
      ...compacted,
      ['compression.type', 'uncompressed'],
      ['min.insync.replicas', '1'],
      ['unclean.leader.election.enable', 'false'],
    ]),
  ],
]);
