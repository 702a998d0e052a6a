import type { Broker, FetchAnswer, RawMessage } from 'kafkajs/src/broker/index.js';
import Batch from 'kafkajs/src/consumer/batch.js';
import type { EntryProof } from '../events/fold.ts';
import type { KafkaConnection } from './connection.ts';
import { lacksEntries } from './log-damaged.ts';
import { sendRequest } from './send-request.ts';
import { isCausedBy } from './to-unavailable.ts';
import { findGap, type Gap, notBeforeFirst, requireWhole } from './whole-partition.ts';

export interface PartitionPosition {
  readonly topic: string;
  readonly partition: number;
  /** The next offset to read. */
  readonly offset: bigint;
}

export interface ReadMessage {
  readonly offset: bigint;
  readonly key: string | null;
  readonly value: Buffer | null;
  /** Timestamp in milliseconds since 1970, by the writer's clock. */
  readonly timestamp: number;
  readonly headers?: Readonly<Record<string, Buffer | undefined>>;
  /** The verdict on its authentication code. */
  readonly proof: EntryProof;
}

export interface ReadPartition extends PartitionPosition {
  readonly messages: readonly ReadMessage[];
  /** The next offset to read, after all messages and control records of this answer. */
  readonly nextOffset: bigint;
  /** Offsets before or between the messages that Kafka does not have; transactions leave none. */
  readonly gap?: Gap | undefined;
}

export interface ReadOptions {
  /** How long the broker waits for the first byte. */
  readonly maxWaitMs: number;
  /** Soft limits: Kafka always answers at least one whole batch. */
  readonly maxBytes: number;
  readonly maxBytesPerPartition: number;
}

/** A connection is closed after the answer to its fetch: a longer wait delays every stop. */
export const liveRead: ReadOptions = {
  maxWaitMs: 500,
  maxBytes: 16 * 1024 * 1024,
  maxBytesPerPartition: 4 * 1024 * 1024,
};

/**
 * The position is outside the log: it lost entries, or it is another log. Waiting does not help, and reading from
 * another offset would hide the loss.
 */
export class ReadBeyondLog extends Error {
  override readonly name = 'ReadBeyondLog';
  readonly remedy =
    'restore Kafka from its replicas or a backup; annals doctor and annals topics check say what is missing';
}

const READ_COMMITTED = 1;
const LATEST = -1;
const EARLIEST = -2;

/**
 * Reads from the given positions with one request per broker, without a consumer group. Skips messages of aborted
 * transactions. Open transactions are not readable yet. Answers only partitions with new messages.
 */
export async function readPartitions(
  connection: KafkaConnection,
  positions: readonly PartitionPosition[],
  options: ReadOptions,
): Promise<readonly FetchedPartition[]> {
  const fetched = await fetchPartitions(connection, positions, options);
  return fetched.flat().filter(({ messageCount }) => messageCount > 0);
}

export interface ReadBefore {
  readonly read: readonly ReadPartition[];
  readonly endOfLast: bigint | undefined;
  /** The answer reached its limit before the end of a partition. */
  readonly hasMore: boolean;
}

/**
 * Like readPartitions, with the end of `last` at a time after the reads of all other partitions: a broker handles the
 * partitions of a request in order. So an entry that was acknowledged in `last` before any message of the answer lies
 * before that end. Undefined if the partitions have different leaders: then ask for the end afterwards.
 */
export async function readPartitionsBefore(
  connection: KafkaConnection,
  {
    others,
    last,
  }: { readonly others: readonly PartitionPosition[]; readonly last: PartitionPosition },
  options: ReadOptions,
): Promise<ReadBefore> {
  const fetched = await fetchPartitions(connection, [...others, last], options);
  const [only, ...moreBrokers] = fetched;
  const isOneBroker = moreBrokers.length === 0;
  const found = only?.find(
    ({ topic, partition }) => topic === last.topic && partition === last.partition,
  );
  return {
    read: fetched.flat().filter(({ messageCount }) => messageCount > 0),
    endOfLast: isOneBroker ? found?.highWatermark : undefined,
    hasMore: fetched.flat().some(hasMore),
  };
}

/** The answer reached its limit before the end of what can be read. */
export function hasMore({ nextOffset, lastStableOffset }: FetchedPartition): boolean {
  return nextOffset < lastStableOffset;
}

/** The offset after the last readable message. */
export function endOffset(
  connection: KafkaConnection,
  topic: string,
  partition: number,
): Promise<bigint> {
  return listOffset(connection, topic, partition, LATEST);
}

export function startOffset(
  connection: KafkaConnection,
  topic: string,
  partition: number,
): Promise<bigint> {
  return listOffset(connection, topic, partition, EARLIEST);
}

function listOffset(
  connection: KafkaConnection,
  topic: string,
  partition: number,
  timestamp: number,
): Promise<bigint> {
  return connection.onLeader(topic, partition, async (broker) => {
    const answer = await broker.listOffsets({
      isolationLevel: READ_COMMITTED,
      topics: [{ topic, partitions: [{ partition, timestamp }] }],
    });
    const found = answer.responses[0]?.partitions[0];
    if (found === undefined) throw new Error(`no offset for ${topic}/${partition}`);
    return BigInt(found.offset);
  });
}

/** Groups positions by the leading broker, for one request each. */
async function groupByBroker(
  connection: KafkaConnection,
  positions: readonly PartitionPosition[],
): Promise<readonly (readonly PartitionPosition[])[]> {
  const groups = new Map<Broker, PartitionPosition[]>();
  for (const position of positions) {
    const broker = await connection.onLeader(position.topic, position.partition, async (it) => it);
    const group = groups.get(broker);
    if (group === undefined) groups.set(broker, [position]);
    else group.push(position);
  }
  return [...groups.values()];
}

export interface FetchedPartition extends ReadPartition {
  readonly highWatermark: bigint;
  /** The end of what can be read: entries of open transactions lie behind it. */
  readonly lastStableOffset: bigint;
  /** Number of records, those that are filtered out included. */
  readonly messageCount: number;
}

/** Sends the requests, and collects the answers of the partitions. Throws LogDamaged for gaps in a whole topic. */
async function fetchPartitions(
  connection: KafkaConnection,
  positions: readonly PartitionPosition[],
  options: ReadOptions,
): Promise<readonly (readonly FetchedPartition[])[]> {
  const readable = positions.map((position) => notBeforeFirst(connection, position));
  const byBroker = await groupByBroker(connection, readable);
  const fetched = await Promise.all(
    byBroker.map((group) => fetchFromBroker(connection, group, options)),
  );
  for (const one of fetched.flat()) requireWhole(connection, one);
  return fetched;
}

async function fetchFromBroker(
  connection: KafkaConnection,
  positions: readonly PartitionPosition[],
  options: ReadOptions,
): Promise<readonly FetchedPartition[]> {
  const [first] = positions;
  if (first === undefined) return [];
  let answer: FetchAnswer;
  try {
    answer = await connection.onLeader(first.topic, first.partition, (broker) =>
      sendFetch(broker, positions, options),
    );
  } catch (error) {
    if (!isCausedBy(error, 'OFFSET_OUT_OF_RANGE')) throw error;
    throw await findOutOfRange(connection, positions);
  }
  return answer.responses.flatMap(({ topicName, partitions }) =>
    partitions.flatMap((data) => {
      const position = positions.find(
        ({ topic, partition }) => topic === topicName && partition === data.partition,
      );
      return position === undefined ? [] : [toFetchedPartition(connection, position, data)];
    }),
  );
}

/** Kafka does not name the invalid position. */
async function findOutOfRange(
  connection: KafkaConnection,
  positions: readonly PartitionPosition[],
): Promise<Error> {
  for (const { topic, partition, offset } of positions) {
    const start = await startOffset(connection, topic, partition);
    const end = await endOffset(connection, topic, partition);
    if (offset >= start && offset <= end) continue;
    const first = connection.whole?.firstOffset(topic, partition);
    if (offset < start && first !== undefined) {
      const damage = lacksEntries({ topic, partition, offset: first }, { first, next: start });
      connection.whole?.onDamage?.(damage);
      return damage;
    }
    return new ReadBeyondLog(
      `${topic}/${partition} has the offsets from ${start} to ${end}, and was read up to ${offset}`,
    );
  }
  return new ReadBeyondLog('Kafka does not have the offsets up to which the log was read');
}

/** Not `broker.fetch`, which shuffles the partitions. */
function sendFetch(
  broker: Broker,
  positions: readonly PartitionPosition[],
  options: ReadOptions,
): Promise<FetchAnswer> {
  return sendRequest(broker, 'Fetch', {
    isolationLevel: READ_COMMITTED,
    maxWaitTime: options.maxWaitMs,
    minBytes: 1,
    maxBytes: options.maxBytes,
    topics: positions.map(({ topic, partition, offset }) => ({
      topic,
      partitions: [{ partition, fetchOffset: `${offset}`, maxBytes: options.maxBytesPerPartition }],
    })),
  });
}

function toFetchedPartition(
  connection: KafkaConnection,
  position: PartitionPosition,
  data: FetchAnswer['responses'][number]['partitions'][number],
): FetchedPartition {
  const last = data.messages.at(-1);
  const batch = new Batch(position.topic, position.offset.toString(), data);
  return {
    ...position,
    nextOffset: last === undefined ? position.offset : BigInt(last.offset) + 1n,
    messages: batch.messages.map((message) => toReadMessage(connection, position, message)),
    messageCount: data.messages.length,
    gap: findGap(data.messages, position.offset),
    highWatermark: BigInt(data.highWatermark),
    lastStableOffset: BigInt(data.lastStableOffset),
  };
}

function toReadMessage(
  { codes }: KafkaConnection,
  position: PartitionPosition,
  { offset, key, value, timestamp, headers }: RawMessage,
): ReadMessage {
  const message = {
    offset: BigInt(offset),
    key: key?.toString('utf8') ?? null,
    value,
    timestamp: Number(timestamp),
    headers,
  };
  return { ...message, proof: codes?.judge(position, message) ?? 'none' };
}
