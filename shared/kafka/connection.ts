import { logLevel } from 'kafkajs';
import type { Broker } from 'kafkajs/src/broker/index.js';
import Cluster from 'kafkajs/src/cluster/index.js';
import { createLogger } from 'kafkajs/src/loggers/index.js';
import createSocketFactory from 'kafkajs/src/network/socketFactory.js';
import type { Logger } from 'pino';
import { baselineVersions, type SchemaVersions } from '../events/schema-versions.ts';
import { identifyListener } from '../net/listener/identify-listener.ts';
import { createReplaceable } from '../runtime/replaceable.ts';
import type { EntryCodes } from '../secrets/entry-codes.ts';
import { judgeListener } from './judge-listener.ts';
import { toKafkajsLogCreator } from './kafka-log.ts';
import { type KafkaSecurity, toKafkajsSecurity } from './kafka-security.ts';
import type { LogDamaged } from './log-damaged.ts';
import { patchKafkajs } from './patch/patch-kafkajs.ts';
import { toUnavailable, UnfitListener } from './to-unavailable.ts';

/** The topics whose entries must all be there. */
export interface WholeTopics {
  /** The offset of the first entry of a partition; undefined for topics that may have gaps. */
  readonly firstOffset: (topic: string, partition: number) => bigint | undefined;
  /** Called when a read finds damage, before it fails. */
  readonly onDamage?: ((damage: LogDamaged) => void) | undefined;
}

export interface KafkaAddress {
  /** `host:port` each. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Undefined: without TLS and without an account. */
  readonly security?: KafkaSecurity;
  /** Authentication codes of entries. Without them, codes are neither written nor checked. */
  readonly codes?: EntryCodes;
  /** The versions to write. Without it those of before ADR 39, which everybody reads. */
  readonly versions?: () => SchemaVersions;
  /** Number of partitions in use by topic, where it is known. The topic may have more. */
  readonly partitionsInUse?: (topic: string) => number | undefined;
  /** Without it gaps are not noticed. */
  readonly whole?: WholeTopics | undefined;
}

export function versionsOf({ versions }: KafkaAddress): () => SchemaVersions {
  return versions ?? (() => baselineVersions);
}

/**
 * Connections of one loop to the brokers. Every loop needs its own: a broker answers the requests of a connection in
 * order, so a waiting fetch would block all requests after it.
 */
export interface KafkaConnection {
  readonly codes: EntryCodes | undefined;
  readonly log: Logger;
  readonly whole?: WholeTopics | undefined;
  /** The versions to write. */
  versions(): SchemaVersions;
  /**
   * Runs one request on the leader of a partition. After an error all connections are closed, and opened again by the
   * next request.
   */
  onLeader<Answer>(
    topic: string,
    partition: number,
    request: (broker: Broker) => Promise<Answer>,
  ): Promise<Answer>;
  /** Runs one request on this broker. */
  onBroker<Answer>(nodeId: number, request: (broker: Broker) => Promise<Answer>): Promise<Answer>;
  /** The brokers that have a copy of the partition, and those of them whose copy is up to date. */
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
  /** Connects and logs in, unless already connected. */
  open(): Promise<void>;
  /** Closes all connections. Requests under way fail; the next one connects again. */
  close(): Promise<void>;
}

/** The error, or the contradiction between the settings and the listener that explains it better. */
async function explainFailure(
  { security }: KafkaAddress,
  broker: string | undefined,
  error: unknown,
): Promise<unknown> {
  const isClear = error instanceof Error && toUnavailable('Kafka', error).remedy !== undefined;
  const place = URL.parse(`kafka://${broker}`);
  if (isClear || !place) return error;
  const host = place.hostname.replace(/^\[|\]$/g, '');
  const fault = judgeListener(
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
  /** The configured broker to ask first: the last one that answered. */
  let first = 0;
  let wasOpen = false;

  /** Tries the configured brokers in turn. kafkajs does that only when it retries, and retries are disabled here. */
  async function open(): Promise<Cluster> {
    const { brokers } = address;
    let failure: unknown;
    for (const _ of brokers) {
      const order = [...brokers.slice(first), ...brokers.slice(0, first)];
      const cluster = createCluster({ ...address, brokers: order }, log);
      try {
        await cluster.connect();
        // Finding a coordinator needs the list of brokers, which comes with the metadata.
        await cluster.refreshMetadata();
        wasOpen = true;
        return cluster;
      } catch (error) {
        // Settings that worked before fit the listener: the broker is away.
        failure = wasOpen ? error : await explainFailure(address, brokers[first], error);
        first = (first + 1) % brokers.length;
        await cluster.disconnect().catch(() => undefined);
      }
    }
    throw failure;
  }

  const clusters = createReplaceable({ open, close: (cluster) => cluster.disconnect() });

  async function partitionsIn(cluster: Cluster, topic: string) {
    await cluster.addTargetTopic(topic);
    return cluster.findTopicPartitionMetadata(topic);
  }

  /** Every failure closes the connection, so that no half-read answer or stale metadata is used. */
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
        const metadata = await partitionsIn(cluster, topic);
        const leader = metadata.find(({ partitionId }) => partitionId === partition)?.leader;
        if (leader === undefined || leader < 0)
          throw new Error(`${topic}/${partition} has no leader`);
        return request(await cluster.findBroker({ nodeId: String(leader) }));
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

/** Does the work with a connection of its own, and closes that. */
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
