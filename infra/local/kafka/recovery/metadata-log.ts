import { encodeBatch } from '../../../../shared/kafka/patch/encode-produce.ts';

/** A topic in the metadata log of a single broker. */
export interface KnownTopic {
  readonly name: string;
  /** 16 bytes. */
  readonly id: Buffer;
  readonly settings: ReadonlyMap<string, string>;
  /** In order of partition number, from 0 without gaps. */
  readonly partitions: readonly {
    /** Greater than the epoch of any entry. */
    readonly leaderEpoch: number;
  }[];
}

export interface Holder {
  readonly brokerId: number;
  /** Id of the log directory that contains all partitions; 16 bytes. */
  readonly directoryId: Buffer;
}

/**
 * Encodes entries of Kafka's metadata log that register topics with their existing ids; a client could only create
 * topics with new ids. One broker holds all of their partitions. The formats are defined in
 * `metadata/src/main/resources` of Kafka's sources (versions as of 4.1). A metadata log begins with the contents of the
 * file `bootstrap.checkpoint`.
 *
 * Producer ids start at `nextProducerId`: with an id that was used before, Kafka would treat new entries as
 * duplicates.
 */
export function encodeTopics(
  topics: readonly KnownTopic[],
  { brokerId, directoryId }: Holder,
  nextProducerId: bigint,
): Buffer {
  const records = topics.flatMap((topic) => [
    record(TOPIC_RECORD, 0, [text(topic.name), topic.id]),
    ...[...topic.settings].map(([name, value]) =>
      record(CONFIG_RECORD, 0, [int8(TOPIC_RESOURCE), text(topic.name), text(name), text(value)]),
    ),
    ...topic.partitions.map(({ leaderEpoch }, partition) =>
      record(PARTITION_RECORD, 2, [
        int32(partition),
        topic.id,
        list([int32(brokerId)]), // replicas
        list([int32(brokerId)]), // in-sync replicas
        list([]), // removing replicas
        list([]), // adding replicas
        int32(brokerId), // leader
        int32(leaderEpoch),
        int32(0), // partition epoch
        list([directoryId]),
      ]),
    ),
  ]);
  const producers = record(PRODUCER_IDS_RECORD, 0, [
    int32(brokerId),
    int64(0n), // the broker's epoch
    int64(nextProducerId),
  ]);
  return encodeBatch([...records, producers].map((value) => ({ key: null, value })));
}

const TOPIC_RECORD = 2;
const PARTITION_RECORD = 3;
const CONFIG_RECORD = 4;
const PRODUCER_IDS_RECORD = 15;
const TOPIC_RESOURCE = 2;
const FRAME_VERSION = 1;

/** Encodes a record, which ends with an empty list of tagged fields. */
function record(kind: number, version: number, fields: readonly Buffer[]): Buffer {
  const head = [varUint(FRAME_VERSION), varUint(kind), varUint(version)];
  return Buffer.concat([...head, ...fields, varUint(0)]);
}

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([varUint(bytes.length + 1), bytes]);
};

const list = (items: readonly Buffer[]): Buffer =>
  Buffer.concat([varUint(items.length + 1), ...items]);

function int8(value: number): Buffer {
  return Buffer.from([value]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

function varUint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
