import { logLevel } from 'kafkajs';
import type { Broker } from 'kafkajs/src/broker/index.js';
import Cluster from 'kafkajs/src/cluster/index.js';
import { createLogger } from 'kafkajs/src/loggers/index.js';
import createSocketFactory from 'kafkajs/src/network/socketFactory.js';
import type { Logger } from 'pino';
import { createReplaceable } from '../runtime/replaceable.ts';
import type { EntryCodes } from '../secrets/entry-codes.ts';
import { toKafkajsLogCreator } from './kafka-log.ts';
import { type KafkaSecurity, toKafkajsSecurity } from './kafka-security.ts';
import { patchKafkajs } from './patch/patch-kafkajs.ts';
import { toUnavailable } from './to-unavailable.ts';

export interface KafkaAddress {
  /** `host:port` each. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** None: in the clear, as nobody. */
  readonly security?: KafkaSecurity;
  /** Without them nothing that is appended carries a code, and none that is read is checked. */
  readonly codes?: EntryCodes;
  /** How many partitions of a topic are in use, where that is known: Kafka may have been given more. */
  readonly partitionsInUse?: (topic: string) => number | undefined;
}

/**
 * Connections of one loop to the brokers. Give every loop one of its own: a broker answers the requests of a
 * connection in order, so a waiting fetch would hold up whatever stands behind it.
 */
export interface KafkaConnection {
  readonly codes: EntryCodes | undefined;
  /** Runs one request on the leader of a partition. After an error everything is dropped and built anew next time. */
  onLeader<Answer>(
    topic: string,
    partition: number,
    request: (broker: Broker) => Promise<Answer>,
  ): Promise<Answer>;
  /** Runs one request on the coordinator of a group. */
  onCoordinator<Answer>(
    groupId: string,
    request: (broker: Broker) => Promise<Answer>,
  ): Promise<Answer>;
  /** Runs one request on whichever broker is at hand. */
  onAnyBroker<Answer>(request: (broker: Broker) => Promise<Answer>): Promise<Answer>;
  partitionsOf(topic: string): Promise<number>;
  /** Does nothing but connect, and log in where that is wanted, unless it is done. */
  open(): Promise<void>;
  /** Drops what is open. Requests under way fail; the next one connects again. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 10_000;
const METADATA_MAX_AGE_MS = 60_000;

export function createKafkaConnection(address: KafkaAddress, log: Logger): KafkaConnection {
  patchKafkajs();
  /** The configured broker to ask first: the one that answered last. */
  let first = 0;

  /** kafkajs asks the next of the configured brokers only when it retries, and it never does so here. */
  async function open(): Promise<Cluster> {
    const { brokers } = address;
    let failure: unknown;
    for (const _ of brokers) {
      const order = [...brokers.slice(first), ...brokers.slice(0, first)];
      const cluster = createCluster({ ...address, brokers: order }, log);
      try {
        await cluster.connect();
        // A coordinator can be asked for only after the brokers are known, which is learned with the metadata.
        await cluster.refreshMetadata();
        return cluster;
      } catch (error) {
        failure = error;
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

  /** Any failure closes the connection: then a half-read answer or stale metadata can never be used again. */
  async function attempt<Answer>(use: (cluster: Cluster) => Promise<Answer>): Promise<Answer> {
    try {
      return await clusters.use(use);
    } catch (cause) {
      throw toUnavailable('Kafka', cause);
    }
  }

  return {
    codes: address.codes,
    onLeader: (topic, partition, request) =>
      attempt(async (cluster) => {
        const metadata = await partitionsIn(cluster, topic);
        const leader = metadata.find(({ partitionId }) => partitionId === partition)?.leader;
        if (leader === undefined || leader < 0)
          throw new Error(`${topic}/${partition} has no leader`);
        return request(await cluster.findBroker({ nodeId: String(leader) }));
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
    reset: clusters.close,
    close: clusters.close,
  };
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
    // A retry inside the client could append twice; the callers know what a failure means.
    retry: { retries: 0, initialRetryTime: 50 },
  });
}
