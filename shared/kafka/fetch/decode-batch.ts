import type { RawMessage } from 'kafkajs/src/broker/index.js';
import Decoder from 'kafkajs/src/protocol/decoder.js';
import decodeWithKafkajs from 'kafkajs/src/protocol/recordBatch/v0/decoder.js';
import type { EntryProof } from '../../events/fold.ts';
import { createRecordReader, type RecordReader } from './record-reader.ts';

/** A record whose authentication code is not verified yet. */
export interface DecodedRecord {
  readonly offset: bigint;
  readonly key: string | null;
  readonly value: Buffer | null;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly headers: Readonly<Record<string, Buffer>>;
  proof: EntryProof;
}

export interface DecodedBatch {
  readonly records: readonly DecodedRecord[];
  /** True if the batch contains the end of a transaction instead of entries. */
  readonly isControl: boolean;
  readonly inTransaction: boolean;
  readonly producerId: bigint;
}

/** Positions of the header fields, as in takeBatch. */
const ATTRIBUTES_AT = 21;
const FIRST_TIMESTAMP_AT = 27;
const MAX_TIMESTAMP_AT = 35;
const PRODUCER_AT = 43;
const COUNT_AT = 57;
const RECORDS_AT = 61;

const COMPRESSION = 7;
const LOG_APPEND_TIME = 8;
const TRANSACTIONAL = 16;
const CONTROL = 32;

/**
 * Decodes a record batch of format 2 with a correct checksum. Returns undefined if the records do not fill the batch
 * exactly. kafkajs would take three times as long. Here, kafkajs decodes only compressed batches, which Annals does not
 * write.
 */
export async function decodeBatch(bytes: Buffer): Promise<DecodedBatch | undefined> {
  const attributes = bytes.readInt16BE(ATTRIBUTES_AT);
  const isCompressed = (attributes & COMPRESSION) !== 0;
  const records = isCompressed ? await decompress(bytes) : readRecords(bytes, attributes);
  if (records === undefined) return undefined;
  return {
    records,
    isControl: (attributes & CONTROL) !== 0,
    inTransaction: (attributes & TRANSACTIONAL) !== 0,
    producerId: bytes.readBigInt64BE(PRODUCER_AT),
  };
}

function readRecords(bytes: Buffer, attributes: number): readonly DecodedRecord[] | undefined {
  const firstOffset = bytes.readBigInt64BE();
  const appendedAt = (attributes & LOG_APPEND_TIME) !== 0;
  const firstTimestamp = Number(bytes.readBigInt64BE(FIRST_TIMESTAMP_AT));
  const maxTimestamp = Number(bytes.readBigInt64BE(MAX_TIMESTAMP_AT));
  const reader = createRecordReader(bytes, RECORDS_AT);
  const records: DecodedRecord[] = [];
  for (let rest = bytes.readInt32BE(COUNT_AT); rest > 0; rest -= 1) {
    const size = reader.varInt();
    const end = reader.at() + size;
    reader.skip(1); // attributes, which are unused
    const delta = reader.varLong();
    records.push({
      timestamp: appendedAt ? maxTimestamp : firstTimestamp + delta,
      offset: firstOffset + BigInt(reader.varInt()),
      key: reader.text(),
      value: reader.bytes(),
      headers: readHeaders(reader, end),
      proof: 'none',
    });
    if (reader.at() !== end) return undefined;
  }
  return reader.at() === bytes.length ? records : undefined;
}

const noHeaders: DecodedRecord['headers'] = {};
const noValue = Buffer.alloc(0);

/** A null or repeated header gets an empty value, which no reader accepts. Annals writes neither. */
function readHeaders(reader: RecordReader, end: number): DecodedRecord['headers'] {
  const count = reader.varInt();
  if (count === 0) return noHeaders;
  // Without a prototype, because foreign messages may name a header `__proto__`.
  const headers: Record<string, Buffer> = Object.create(null);
  for (let rest = count; rest > 0 && reader.at() < end; rest -= 1) {
    const name = reader.text() ?? '';
    const value = reader.bytes() ?? noValue;
    headers[name] = name in headers ? noValue : value;
  }
  return headers;
}

async function decompress(bytes: Buffer): Promise<readonly DecodedRecord[]> {
  const { records } = await decodeWithKafkajs(new Decoder(bytes));
  return records.map(({ offset, key, value, timestamp, headers }: RawMessage) => ({
    timestamp: Number(timestamp),
    offset: BigInt(offset),
    key: key?.toString() ?? null,
    value,
    headers: Object.fromEntries(Object.entries(headers).map(withSingleValue)),
    proof: 'none',
  }));
}

function withSingleValue([name, value]: readonly [string, unknown]): readonly [string, Buffer] {
  return [name, Buffer.isBuffer(value) ? value : noValue];
}
