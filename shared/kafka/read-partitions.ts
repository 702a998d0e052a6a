import { Unavailable } from '../domain/errors.ts';
import type { KafkaConnection } from './connection.ts';
import { BatchDamaged } from './fetch/batch-damaged.ts';
import {
  type FetchedFromReplica,
  type FetchedPartition,
  type PartitionPosition,
  type ReadOptions,
  type ReadPartition,
  sendFetch,
  toFetchedPartitions,
} from './fetch/send-fetch.ts';
import { lacksEntries } from './log-damaged.ts';
import { isCausedBy } from './to-unavailable.ts';
import { notBeforeFirst, requireWhole } from './whole-partition.ts';

export type {
  FetchedPartition,
  PartitionPosition,
  ReadMessage,
  ReadOptions,
  ReadPartition,
} from './fetch/send-fetch.ts';

/** A connection closes only after the response to its fetch, so a longer wait would delay every shutdown. */
export const liveRead: ReadOptions = {
  maxWaitMs: 500,
  maxBytes: 16 * 1024 * 1024,
  maxBytesPerPartition: 4 * 1024 * 1024,
};

/**
 * The position is outside the log: the log lost entries, or was replaced. Waiting does not help, and reading from
 * another offset would hide the loss.
 */
export class ReadBeyondLog extends Error {
  override readonly name = 'ReadBeyondLog';
  readonly remedy =
    'restore Kafka from its replicas or a backup; annals doctor and annals topics check show what is missing';
}

const READ_UNCOMMITTED = 0;
const READ_COMMITTED = 1;
const LATEST = -1;
const EARLIEST = -2;

/**
 * Reads from the given positions with one request per broker, without a consumer group. Skips messages of aborted
 * transactions; messages of open transactions are not readable yet. Returns only partitions with new messages. Throws
 * BatchDamaged if the only unread entries are in damaged batches.
 */
export async function readPartitions(
  connection: KafkaConnection,
  positions: readonly PartitionPosition[],
  options: ReadOptions,
): Promise<readonly FetchedPartition[]> {
  const fetched = await fetchPartitions(connection, positions, options);
  return withMessages(fetched.flat());
}

function withMessages(fetched: readonly FetchedPartition[]): readonly FetchedPartition[] {
  const read = fetched.filter(({ messageCount }) => messageCount > 0);
  const damage = read.length === 0 ? findDamage(fetched) : undefined;
  if (damage !== undefined) throw damage;
  return read;
}

/** Returns damage that could not be replaced from another replica. */
function findDamage(fetched: readonly FetchedPartition[]): BatchDamaged | undefined {
  return fetched.find((one) => one.damage !== undefined && one.messageCount === 0)?.damage;
}

export interface ReadBefore {
  readonly read: readonly ReadPartition[];
  readonly endOfLast: bigint | undefined;
  /** The response reached its limit before the end of a partition. */
  readonly hasMore: boolean;
  /** The damage of a partition that could not be read, although other partitions could. */
  readonly damage: BatchDamaged | undefined;
}

/**
 * Like readPartitions, but also returns the end of `last`, determined after all other partitions were read: a broker
 * processes the partitions of a request in order. Every entry that was acknowledged in `last` before any returned
 * message is therefore before that end. If the partitions have different leaders, the end is undefined, and the caller
 * has to query it afterwards.
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
  // Entries that were read again may be later than the end of `last` in the first response.
  const isOneAnswer = moreBrokers.length === 0 && only?.every((one) => !one.isReadAgain) === true;
  const found = only?.find(
    ({ topic, partition }) => topic === last.topic && partition === last.partition,
  );
  return {
    read: withMessages(fetched.flat()),
    endOfLast: isOneAnswer ? found?.highWatermark : undefined,
    hasMore: fetched.flat().some(hasMore),
    damage: findDamage(fetched.flat()),
  };
}

/** Returns whether the response reached its limit before the end of the readable entries. */
export function hasMore({ nextOffset, lastStableOffset }: FetchedPartition): boolean {
  return nextOffset < lastStableOffset;
}

/** Returns the offset after the last readable message. */
export function endOffset(
  connection: KafkaConnection,
  topic: string,
  partition: number,
): Promise<bigint> {
  return listOffset(connection, topic, partition, LATEST);
}

/** Like `endOffset`, but includes the messages of open transactions, which are not readable yet. */
export function endWithOpen(
  connection: KafkaConnection,
  topic: string,
  partition: number,
): Promise<bigint> {
  return listOffset(connection, topic, partition, LATEST, READ_UNCOMMITTED);
}

export function startOffset(
  connection: KafkaConnection,
  topic: string,
  partition: number,
): Promise<bigint> {
  return listOffset(connection, topic, partition, EARLIEST);
}

/**
 * Returns the offset of the first message with this timestamp (in milliseconds since 1970) or a later one; undefined
 * if none exists.
 */
export async function offsetSince(
  connection: KafkaConnection,
  { topic, partition }: { readonly topic: string; readonly partition: number },
  time: number,
): Promise<bigint | undefined> {
  const offset = await listOffset(connection, topic, partition, time);
  return offset < 0n ? undefined : offset;
}

function listOffset(
  connection: KafkaConnection,
  topic: string,
  partition: number,
  timestamp: number,
  isolationLevel = READ_COMMITTED,
): Promise<bigint> {
  return connection.onLeader(topic, partition, async (broker) => {
    const answer = await broker.listOffsets({
      isolationLevel,
      topics: [{ topic, partitions: [{ partition, timestamp }] }],
    });
    const found = answer.responses[0]?.partitions[0];
    if (found === undefined) throw new Error(`no offset for ${topic}/${partition}`);
    return BigInt(found.offset);
  });
}

/**
 * Sends one request to each leader and collects the responses per broker. Throws LogDamaged for gaps in a topic that
 * must not have any.
 */
async function fetchPartitions(
  connection: KafkaConnection,
  positions: readonly PartitionPosition[],
  options: ReadOptions,
): Promise<readonly (readonly FetchedPartition[])[]> {
  const readable = positions.map((position) => notBeforeFirst(connection, position));
  const answers = await fetchFromLeaders(connection, readable, options);
  const fetched = await Promise.all(
    answers.map(({ broker, led, answer }) =>
      Promise.all(
        toFetchedPartitions(connection.codes, led, answer).map((one) =>
          one.isDamaged ? fetchDamaged(connection, { ...one, broker }, options) : one,
        ),
      ),
    ),
  );
  for (const one of fetched.flat()) requireWhole(connection, one);
  return fetched;
}

async function fetchFromLeaders(
  connection: KafkaConnection,
  positions: readonly PartitionPosition[],
  options: ReadOptions,
) {
  try {
    return await connection.onLeaders(positions, async (leader, led) => ({
      broker: Number(leader.nodeId),
      led,
      answer: await sendFetch(leader, led, options),
    }));
  } catch (error) {
    if (!isCausedBy(error, 'OFFSET_OUT_OF_RANGE')) throw error;
    throw await findOutOfRange(connection, positions);
  }
}

/**
 * Reads the batch from another in-sync replica. Since version 11 of the request, followers can also serve consumers.
 */
async function fetchDamaged(
  connection: KafkaConnection,
  damaged: FetchedFromReplica & { readonly broker: number },
  options: ReadOptions,
): Promise<FetchedPartition> {
  const { topic, partition, broker } = damaged;
  // A broker takes the high watermark before it reads, so a response can contain a valid batch beyond it.
  const [again] = await fetchFromReplica(connection, broker, damaged, options);
  if (again?.isDamaged === false) return { ...again, isReadAgain: true };
  const { all, inSync } = await connection.replicasOf(topic, partition);
  const damage = new BatchDamaged({
    topic,
    partition,
    broker,
    offset: damaged.damagedOffset,
    replicas: all.length,
  });
  for (const other of inSync.filter((nodeId) => nodeId !== broker)) {
    const [copy] = await fetchFromReplica(connection, other, damaged, options);
    if (copy === undefined || copy.messageCount === 0) continue;
    connection.log.error(
      { reason: damage.message, remedy: damage.remedy, readFrom: other },
      'read a damaged batch from another replica',
    );
    return { ...copy, damage, isReadAgain: true };
  }
  return { ...damaged, damage };
}

async function fetchFromReplica(
  connection: KafkaConnection,
  nodeId: number,
  position: PartitionPosition,
  options: ReadOptions,
): Promise<readonly FetchedFromReplica[]> {
  try {
    const answer = await connection.onBroker(nodeId, (broker) =>
      sendFetch(broker, [position], options),
    );
    return toFetchedPartitions(connection.codes, [position], answer);
  } catch (error) {
    // The next replica may have the batch.
    if (error instanceof Unavailable) return [];
    throw error;
  }
}

/** Finds the invalid position, which Kafka's error does not name. */
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
      `${topic}/${partition} has the offsets from ${start} to ${end}, but the next offset to read is ${offset}`,
    );
  }
  return new ReadBeyondLog('Kafka does not have the next offsets to read');
}
