import type { Broker } from 'kafkajs/src/broker/index.js';
import apiKeys from 'kafkajs/src/protocol/requests/apiKeys.js';
import { requests } from 'kafkajs/src/protocol/requests/index.js';
import type { EntryProof } from '../../events/fold.ts';
import type { EntryCodes } from '../../secrets/entry-codes.ts';
import { findGap, type Gap } from '../whole-partition.ts';
import type { BatchDamaged } from './batch-damaged.ts';
import { decodeFetch, type FetchAnswer, type PartitionAnswer } from './decode-fetch.ts';

const READ_COMMITTED = 1;

/** Sends a fetch. Replaces `broker.fetch`, which shuffles the partitions. */
export function sendFetch(
  broker: Broker,
  positions: readonly PartitionPosition[],
  options: ReadOptions,
): Promise<FetchAnswer> {
  const maxBytes = options.maxBytesPerPartition;
  const content = {
    isolationLevel: READ_COMMITTED,
    maxWaitTime: options.maxWaitMs,
    minBytes: 1,
    maxBytes: options.maxBytes,
    topics: positions.map(({ topic, partition, offset }) => ({
      topic,
      partitions: [{ partition, fetchOffset: `${offset}`, maxBytes }],
    })),
  };
  const created = broker.lookupRequest<'Fetch'>(apiKeys.Fetch, requests.Fetch)(content);
  const { request, response } = created;
  return broker.connectionPool.send({
    ...created,
    response: { ...response, decode: (bytes) => decodeFetch(bytes, request.apiVersion) },
  });
}

export interface FetchedFromReplica extends FetchedPartition {
  /** True if no message in this response is readable. */
  readonly isDamaged: boolean;
  readonly damagedOffset: bigint;
}

export function toFetchedPartitions(
  codes: EntryCodes | undefined,
  positions: readonly PartitionPosition[],
  answer: FetchAnswer,
): readonly FetchedFromReplica[] {
  return answer.responses.flatMap(({ topicName, partitions }) =>
    partitions.flatMap((data) => {
      const position = positions.find(
        ({ topic, partition }) => topic === topicName && partition === data.partition,
      );
      return position === undefined ? [] : [toFetchedPartition(codes, position, data)];
    }),
  );
}

/** Damage after readable messages is ignored until the next fetch, which starts there. */
function toFetchedPartition(
  codes: EntryCodes | undefined,
  position: PartitionPosition,
  data: PartitionAnswer,
): FetchedFromReplica {
  const { damagedOffset = position.offset } = data;
  const last = data.records.at(-1);
  // A batch that ends before the position has a wrong offset in its header.
  const isBehind = last !== undefined && last.offset < position.offset;
  const records = isBehind ? [] : data.records;
  // The first batch may begin before the position.
  const messages = data.messages.filter(({ offset }) => offset >= position.offset);
  if (codes !== undefined) {
    for (const message of messages) message.proof = codes.verify(position, message);
  }
  const isPlausible = damagedOffset >= 0n && damagedOffset < position.offset;
  return {
    ...position,
    nextOffset: last === undefined || isBehind ? position.offset : last.offset + 1n,
    messages,
    messageCount: records.length,
    gap: findGap(records, position.offset),
    highWatermark: data.highWatermark,
    lastStableOffset: data.lastStableOffset,
    isDamaged: isBehind || (data.isDamaged && records.length === 0),
    damagedOffset: isPlausible ? damagedOffset : position.offset,
  };
}

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
  /** The result of verifying the authentication code. */
  readonly proof: EntryProof;
}

export interface ReadPartition extends PartitionPosition {
  readonly messages: readonly ReadMessage[];
  /** The next offset to read, after all messages and control records of this response. */
  readonly nextOffset: bigint;
  /** Missing offsets before or between the messages. Transactions do not cause such gaps. */
  readonly gap?: Gap | undefined;
  /** The leader's replica is damaged at the position. Messages, if any, are from another replica. */
  readonly damage?: BatchDamaged;
}

export interface ReadOptions {
  /** How long the broker waits for the first byte. */
  readonly maxWaitMs: number;
  /** Soft limits: Kafka always returns at least one whole batch. */
  readonly maxBytes: number;
  readonly maxBytesPerPartition: number;
}

export interface FetchedPartition extends ReadPartition {
  readonly highWatermark: bigint;
  /** The end of the readable entries. Entries of open transactions come after it. */
  readonly lastStableOffset: bigint;
  /** The number of records, including filtered ones. */
  readonly messageCount: number;
  /** True if the result comes from a later response than the results for other partitions. */
  readonly isReadAgain?: boolean;
}
