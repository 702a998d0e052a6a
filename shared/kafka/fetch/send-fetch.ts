import type { Broker, FetchAnswer, RawMessage } from 'kafkajs/src/broker/index.js';
import Batch from 'kafkajs/src/consumer/batch.js';
import apiKeys from 'kafkajs/src/protocol/requests/apiKeys.js';
import { requests } from 'kafkajs/src/protocol/requests/index.js';
import type { EntryCodes } from '../../secrets/entry-codes.ts';
import { findGap } from '../whole-partition.ts';
import { decodeFetch } from './decode-fetch.ts';
import type {
  FetchedPartition,
  PartitionPosition,
  ReadMessage,
  ReadOptions,
} from './fetched-partition.ts';

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
  /** True if no message of this response is readable. */
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

/** Damage after readable messages is left to the next fetch, which starts there. */
function toFetchedPartition(
  codes: EntryCodes | undefined,
  position: PartitionPosition,
  data: FetchAnswer['responses'][number]['partitions'][number],
): FetchedFromReplica {
  const { damagedOffset = position.offset } = data;
  const last = data.messages.at(-1);
  // A batch that ends before the position has a wrong offset in its header.
  const isBehind = last !== undefined && BigInt(last.offset) < position.offset;
  const messages = isBehind ? [] : data.messages;
  const isPlausible = damagedOffset >= 0n && damagedOffset < position.offset;
  return {
    ...position,
    nextOffset: last === undefined || isBehind ? position.offset : BigInt(last.offset) + 1n,
    messages: new Batch(position.topic, position.offset.toString(), {
      ...data,
      messages,
    }).messages.map((message) => toReadMessage(codes, position, message)),
    messageCount: messages.length,
    gap: findGap(messages, position.offset),
    highWatermark: BigInt(data.highWatermark),
    lastStableOffset: BigInt(data.lastStableOffset),
    isDamaged: isBehind || (data.isDamaged && messages.length === 0),
    damagedOffset: isPlausible ? damagedOffset : position.offset,
  };
}

function toReadMessage(
  codes: EntryCodes | undefined,
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
  return { ...message, proof: codes?.verify(position, message) ?? 'none' };
}
