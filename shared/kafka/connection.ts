import { Kafka, logLevel } from 'kafkajs';
import type { Broker } from 'kafkajs/src/broker/index.js';
import Cluster from 'kafkajs/src/cluster/index.js';
import { createLogger } from 'kafkajs/src/loggers/index.js';
import createSocketFactory from 'kafkajs/src/network/socketFactory.js';
import type { Logger } from 'pino';
import { baselineVersions, type SchemaVersions } from '../events/schema-versions.ts';
import { identifyListener } from '../net/listener/identify-listener.ts';
import { createReplaceable } from '../runtime/replaceable.ts';
import type { EntryCodes } from '../secrets/entry-codes.ts';
import { findListenerFault } from './find-listener-fault.ts';
import { type KafkaSecurity, toKafkajsSecurity } from './kafka-security.ts';
import type { LogDamaged } from './log-damaged.ts';
import { patchKafkajs } from './patch/patch-kafkajs.ts';
import { toUnavailable, UnfitListener } from './to-unavailable.ts';

/** The topics that must not lack any entries. */
export interface WholeTopics {
  /** Returns the offset of the first entry in a partition; undefined for topics that may have gaps. */
  readonly firstOffset: (topic: string, partition: number) => bigint | undefined;
  /** Called when a read detects damage, before the read fails. */
  readonly onDamage?: ((damage: LogDamaged) => void) | undefined;
}

export interface KafkaAddress {
  /** Each is `host:port`. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** If undefined, neither TLS nor SASL is used. */
  readonly security?: KafkaSecurity;
  /** Authentication codes for entries. Without them, codes are neither written nor verified. */
  readonly codes?: EntryCodes;
  /** The schema versions to write. Defaults to the versions from before ADR 39, which every process reads. */
  readonly versions?: () => SchemaVersions;
  /** Returns the number of partitions in use, if known. The topic may have more. */
  readonly partitionsInUse?: (topic: string) => number | undefined;
  /** If absent, gaps are not detected. */
  readonly whole?: WholeTopics | undefined;
}

export function versionsOf({ versions }: KafkaAddress): () => SchemaVersions {
  return versions ?? (() => baselineVersions);
}

interface PartitionName {
  readonly topic: string;
  readonly partition: number;
}

/**
 * The connections from one loop to the brokers. Every loop needs separate connections: a broker processes the requests
 * on a connection in order, so a waiting fetch would block all later requests.
 */
export interface KafkaConnection {
  readonly codes: EntryCodes | undefined;
  readonly log: Logger;
  readonly whole?: WholeTopics | undefined;
  /** The schema versions to write. */
  versions(): SchemaVersions;
  /**
   * Runs one request on the leader of a partition. After an error, all connections are closed; the next request opens
   * them again.
   */
  onLeader<Answer>(
    topic: string,
    partition: number,
    request: (broker: Broker) => Promise<Answer>,
  ): Promise<Answer>;
  /**
   * Runs one request on each broker that leads any of the partitions, with the partitions that it leads. Fails with the
   * first failure, like `onLeader`.
   */
  onLeaders<Partition extends PartitionName, Answer>(
    partitions: readonly Partition[],
    request: (broker: Broker, led: readonly Partition[]) => Promise<Answer>,
  ): Promise<readonly Answer[]>;
  /** Runs one request on this broker. */
  onBroker<Answer>(nodeId: number, request: (broker: Broker) => Promise<Answer>): Promise<Answer>;
  /** Returns the brokers with a replica of the partition, and the brokers whose replica is in sync. */
  replicasOf(
    topic: string,
    partition: number,
  ): Promise<{ readonly all: readonly number[]; readonly inSync: readonly number[] }>;
  /** Runs one request on the coordinator of a group. */
  onCoordinator<Answer>(
    groupId: string,
    request: (broker: Broker) => Promise<Answer>,
  ): Promise<Answer>;
  /** Runs one request on any broker. */
  onAnyBroker<Answer>(request: (broker: Broker) => Promise<Answer>): Promise<Answer>;
  partitionsOf(topic: string): Promise<number>;
  /** Connects and authenticates, unless already connected. */
  open(): Promise<void>;
  /** Closes all connections. Running requests fail; the next request connects again. */
  close(): Promise<void>;
}

/** Returns the error, or a mismatch between the settings and the listener if that explains the failure. */
async function explainFailure(
  { security }: KafkaAddress,
  broker: string | undefined,
  error: unknown,
): Promise<unknown> {
  const isExplained = error instanceof Error && toUnavailable('Kafka', error).remedy !== undefined;
  const place = URL.parse(`kafka://${broker}`);
  if (isExplained || !place) return error;
  const host = place.hostname.replace(/^\[|\]$/g, '');
  const fault = findListenerFault(
    await identifyListener({ host, port: Number(place.port) || DEFAULT_PORT }),
    security,
  );
  return fault === undefined ? error : new UnfitListener(fault, error);
}

const DEFAULT_PORT = 9092;
const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 10_000;
const METADATA_MAX_AGE_MS = 60_000;

export function createKafkaConnection(address: KafkaAddress, log: Logger): KafkaConnection {
  patchKafkajs();
  /** Index of the broker to try first: the last broker that responded. */
  let first = 0;
  let wasOpen = false;

  /** Tries the configured brokers in turn. kafkajs would do so only in a retry, and retries are disabled here. */
  async function open(): Promise<Cluster> {
    const { brokers } = address;
    let failure: unknown;
    for (const _ of brokers) {
      const order = [...brokers.slice(first), ...brokers.slice(0, first)];
      const cluster = createCluster({ ...address, brokers: order }, log);
      try {
        await cluster.connect();
        // Finding a coordinator needs the list of brokers, which is part of the metadata.
        await cluster.refreshMetadata();
        wasOpen = true;
        return cluster;
      } catch (error) {
        // The settings worked before, so they match the listener, and the broker is unavailable.
        failure = wasOpen ? error : await explainFailure(address, brokers[first], error);
        first = (first + 1) % brokers.length;
        await cluster.disconnect().catch(() => undefined);
      }
    }
    throw failure;
  }

  const clusters = createReplaceable({ open, close: (cluster) => cluster.disconnect() });

  /** Every failure closes the connection, so that no partly read response or stale metadata is used. */
  async function attempt<Answer>(use: (cluster: Cluster) => Promise<Answer>): Promise<Answer> {
    try {
      return await clusters.use(use);
    } catch (cause) {
      throw toUnavailable('Kafka', cause);
    }
  }

  return {
    codes: address.codes,
    log,
    whole: address.whole,
    versions: versionsOf(address),
    onLeader: (topic, partition, request) =>
      attempt(async (cluster) => {
        await load(cluster, [topic]);
        const nodeId = leaderOf(cluster, { topic, partition });
        return request(await cluster.findBroker({ nodeId }));
      }),
    onLeaders: (partitions, request) =>
      attempt(async (cluster) => {
        const groups = await groupByLeader(cluster, partitions);
        const ask = async (nodeId: string, led: typeof partitions) =>
          request(await cluster.findBroker({ nodeId }), led);
        return Promise.all([...groups].map(([nodeId, led]) => ask(nodeId, led)));
      }),
    onBroker: (nodeId, request) =>
      attempt(async (cluster) => request(await cluster.findBroker({ nodeId: String(nodeId) }))),
    replicasOf: (topic, partition) =>
      attempt(async (cluster) => {
        const metadata = await partitionsIn(cluster, topic);
        const found = metadata.find(({ partitionId }) => partitionId === partition);
        return { all: found?.replicas ?? [], inSync: found?.isr ?? [] };
      }),
    onCoordinator: (groupId, request) =>
      attempt(async (cluster) => request(await cluster.findGroupCoordinator({ groupId }))),
    onAnyBroker: (request) =>
      attempt(async ({ brokerPool }) => request(await brokerPool.findConnectedBroker())),
    partitionsOf: (topic) =>
      attempt(async (cluster) => {
        const { length } = await partitionsIn(cluster, topic);
        return address.partitionsInUse?.(topic) ?? length;
      }),
    open: () => attempt(async () => undefined),
    close: clusters.close,
  };
}

/**
 * Loads the metadata of topics, unless the cluster already has it. A topic becomes a target before its metadata has
 * arrived, and requests that begin in the meantime wait for the metadata.
 */
async function load(cluster: Cluster, topics: readonly string[]): Promise<void> {
  const known = cluster.brokerPool.metadata?.topicMetadata ?? [];
  const isLoaded = (name: string) =>
    cluster.targetTopics.has(name) && known.some(({ topic }) => topic === name);
  if (!topics.every(isLoaded)) await cluster.addMultipleTargetTopics(topics);
}

async function partitionsIn(cluster: Cluster, topic: string) {
  await load(cluster, [topic]);
  return cluster.findTopicPartitionMetadata(topic);
}

/** Returns the id of the broker that leads the partition. The metadata of its topic must be loaded. */
function leaderOf(cluster: Cluster, { topic, partition }: PartitionName): string {
  const partitions = cluster.findTopicPartitionMetadata(topic);
  const leader = partitions.find(({ partitionId }) => partitionId === partition)?.leader;
  if (leader === undefined || leader < 0) throw new Error(`${topic}/${partition} has no leader`);
  return String(leader);
}

async function groupByLeader<Partition extends PartitionName>(
  cluster: Cluster,
  partitions: readonly Partition[],
): Promise<ReadonlyMap<string, readonly Partition[]>> {
  await load(
    cluster,
    partitions.map(({ topic }) => topic),
  );
  return Map.groupBy(partitions, (partition) => leaderOf(cluster, partition));
}

/** Runs `work` with a separate connection, and closes it afterwards. */
export async function withKafka<Result>(
  { kafka, log }: { readonly kafka: KafkaAddress; readonly log: Logger },
  work: (connection: KafkaConnection) => Promise<Result>,
): Promise<Result> {
  const connection = createKafkaConnection(kafka, log);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

function createCluster({ brokers, clientId, security }: KafkaAddress, log: Logger): Cluster {
  return new Cluster({
    logger: createLogger({ level: logLevel.WARN, logCreator: toKafkajsLogCreator(log) }),
    socketFactory: createSocketFactory(),
    brokers,
    ...toKafkajsSecurity(security),
    clientId,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    metadataMaxAge: METADATA_MAX_AGE_MS,
    allowAutoTopicCreation: false,
    maxInFlightRequests: null,
    // A retry inside the client could append twice. The callers handle failures.
    retry: { retries: 0, initialRetryTime: 50 },
  });
}

/** Creates a client with the public API of kafkajs, for topics and transactions. */
export function createKafkajsClient(address: KafkaAddress, log: Logger): Kafka {
  patchKafkajs();
  return new Kafka({
    brokers: [...address.brokers],
    ...toKafkajsSecurity(address.security),
    clientId: address.clientId,
    logLevel: logLevel.WARN,
    logCreator: toKafkajsLogCreator(log),
  });
}

interface KafkajsEntry {
  readonly level: number;
  readonly namespace: string;
  readonly log: { readonly message: string; readonly [key: string]: unknown };
}

/**
 * Sends log lines from kafkajs to the service's logger, but at most at debug level, because the code that calls the
 * client logs errors according to their meaning.
 */
function toKafkajsLogCreator(log: Logger) {
  return () =>
    ({ level, namespace, log: entry }: KafkajsEntry): void => {
      const { message, timestamp: _, logger: __, stack: ___, ...fields } = entry;
      const line = { kafka: { namespace, message, ...fields } };
      if (level <= logLevel.WARN) log.debug(line, 'kafka client warning');
      else log.trace(line, 'kafka client');
    };
}
