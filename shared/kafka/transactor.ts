import type { Producer } from 'kafkajs';
import type { Logger } from 'pino';
import { createReplaceable } from '../runtime/replaceable.ts';
import { type Message, withCode } from './append.ts';
import { createKafkajsClient, type KafkaAddress, withKafka } from './connection.ts';
import type { PartitionPosition } from './read-partitions.ts';
import { isCausedBy, toUnavailable } from './to-unavailable.ts';

export interface AddressedMessage extends Message {
  readonly topic: string;
  readonly partition: number;
  /** A foreign message: forwarded without an authentication code, which would mark it as ours. */
  readonly isForeign?: boolean;
}

/** A position, and its metadata: text of at most 4096 bytes. */
export interface PositionWithMetadata extends PartitionPosition {
  readonly metadata?: string;
}

/** Appends to any topics and moves a group's positions atomically. */
export interface Transactor {
  /** Aborts a predecessor's open transaction, and fences the predecessor. */
  takeOver(): Promise<void>;
  /**
   * Returns the group's positions. Partitions without a position are omitted. First takes over the transactional id,
   * which aborts a predecessor's open transaction, so that the positions include all of its commits.
   */
  positionsWithMetadata(
    ...topics: readonly string[]
  ): Promise<readonly Required<PositionWithMetadata>[]>;
  /**
   * Throws TransactionSuperseded if a newer transactor with the same id has taken over. After any other error it is
   * unknown whether the transaction was committed: read the positions again.
   */
  commit(
    messages: readonly AddressedMessage[],
    positions: readonly PositionWithMetadata[],
  ): Promise<void>;
  close(): Promise<void>;
}

/**
 * Another process has taken over the transactional id. This process has to stop. Otherwise its work would be done
 * twice.
 */
export class TransactionSuperseded extends Error {
  override readonly name = 'TransactionSuperseded';
}

interface TransactorOptions {
  /** The transactional id. A second transactor with the same id fences the first. */
  readonly transactionalId: string;
  /** The group of the positions. It never has members. */
  readonly positionsGroup: string;
}

/**
 * After a commit the coordinator needs a few milliseconds before it accepts the next transaction of the same producer
 * (CONCURRENT_TRANSACTIONS). With kafkajs' default pause of 300 ms, consecutive transactions take 263 ms each; with
 * these settings, 7.7 ms.
 */
const retry = { initialRetryTime: 3, factor: 0, multiplier: 1.5, maxRetryTime: 100, retries: 50 };

export function createTransactor(
  address: KafkaAddress,
  options: TransactorOptions,
  log: Logger,
): Transactor {
  const producers = createReplaceable({
    open: () => openProducer(address, options.transactionalId, log),
    close: (producer) => producer.disconnect(),
  });

  /** After a failure, a new producer gets a new epoch, which aborts the open transaction of the old producer. */
  async function orDrop<Answer>(work: (producer: Producer) => Promise<Answer>): Promise<Answer> {
    try {
      return await producers.use(work);
    } catch (cause) {
      if (isCausedBy(cause, 'INVALID_PRODUCER_EPOCH'))
        throw new TransactionSuperseded('fenced', { cause });
      throw toUnavailable('transaction failed', cause);
    }
  }

  return {
    takeOver: () => orDrop(async () => undefined),
    positionsWithMetadata: (...topics) =>
      orDrop(() => readGroupPositions(address, { groupId: options.positionsGroup, topics }, log)),
    commit: (messages, positions) =>
      orDrop((producer) => {
        const ours = messages.map((message) => coded(address, message));
        return runTransaction(producer, options.positionsGroup, ours, positions);
      }),
    close: producers.close,
  };
}

/** Reads a group's positions without fencing. */
export function readGroupPositions(
  address: KafkaAddress,
  { groupId, topics }: { readonly groupId: string; readonly topics: readonly string[] },
  log: Logger,
): Promise<readonly Required<PositionWithMetadata>[]> {
  return withKafka({ kafka: address, log }, async (connection) => {
    const requested = await Promise.all(
      topics.map(async (topic) => {
        const count = await connection.partitionsOf(topic);
        return {
          topic,
          partitions: Array.from({ length: count }, (_, partition) => ({ partition })),
        };
      }),
    );
    const answer = await connection.onCoordinator(groupId, (broker) =>
      broker.offsetFetch({ groupId, topics: requested }),
    );
    return answer.responses.flatMap(({ topic, partitions }) =>
      partitions
        .filter(({ offset }) => offset !== '-1')
        .map(({ partition, offset, metadata }) => ({
          topic,
          partition,
          offset: BigInt(offset),
          metadata: metadata ?? '',
        })),
    );
  });
}

async function openProducer(
  address: KafkaAddress,
  transactionalId: string,
  log: Logger,
): Promise<Producer> {
  const producer = createKafkajsClient(address, log).producer({
    transactionalId,
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    transactionTimeout: 30_000,
    retry,
  });
  try {
    await producer.connect();
    // kafkajs takes over the transactional id only with the first transaction, so this code runs an empty transaction.
    await (await producer.transaction()).abort();
    return producer;
  } catch (error) {
    // Closed here, because the caller has not received it yet.
    await producer.disconnect().catch(() => undefined);
    throw error;
  }
}

async function runTransaction(
  producer: Producer,
  consumerGroupId: string,
  messages: readonly AddressedMessage[],
  positions: readonly PositionWithMetadata[],
): Promise<void> {
  const transaction = await producer.transaction();
  try {
    for (const some of inRequests(messages)) {
      await transaction.sendBatch({ acks: -1, topicMessages: byTopic(some) });
    }
    if (positions.length > 0) {
      await transaction.sendOffsets({
        consumerGroupId,
        topics: positions.map(({ topic, partition, offset, metadata = '' }) => ({
          topic,
          partitions: [{ partition, offset: offset.toString(), metadata }],
        })),
      });
    }
  } catch (error) {
    await transaction.abort().catch(() => undefined);
    throw error;
  }
  await transaction.commit();
}

function coded({ codes }: KafkaAddress, message: AddressedMessage): AddressedMessage {
  return message.isForeign === true ? message : withCode(message, { codes, place: message });
}

/**
 * Maximum size of a request: kafkajs makes one batch of all of its messages for a partition, and topics accept
 * batches of up to 8 MiB.
 */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;

function inRequests(messages: readonly AddressedMessage[]): readonly AddressedMessage[][] {
  const requests: AddressedMessage[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    if (bytes + message.value.length > MAX_REQUEST_BYTES) {
      requests.push([]);
      bytes = 0;
    }
    requests.at(-1)?.push(message);
    bytes += message.value.length;
  }
  return requests;
}

function byTopic(messages: readonly AddressedMessage[]) {
  return [...Map.groupBy(messages, ({ topic }) => topic)].map(([topic, list]) => ({
    topic,
    messages: list.map(({ key, value, partition, headers }) => ({
      key,
      value,
      partition,
      headers: { ...headers },
    })),
  }));
}
