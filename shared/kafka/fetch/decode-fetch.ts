import { crc32c } from '@node-rs/crc32';
import Decoder from 'kafkajs/src/protocol/decoder.js';
import { createAbortedFilter } from './aborted-filter.ts';
import { type DecodedBatch, type DecodedRecord, decodeBatch } from './decode-batch.ts';

export interface FetchAnswer {
  readonly clientSideThrottleTime: number;
  readonly responses: readonly {
    readonly topicName: string;
    readonly partitions: readonly PartitionAnswer[];
  }[];
}

export interface PartitionAnswer {
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: bigint;
  /** The offset of the first open transaction, or the high watermark. */
  readonly lastStableOffset: bigint;
  /** All records, including control records and records of aborted transactions. */
  readonly records: readonly DecodedRecord[];
  /** The records for readers: without control records and records of aborted transactions. */
  readonly messages: readonly DecodedRecord[];
  /** The batch after these records is damaged. */
  readonly isDamaged: boolean;
  /** The first offset of that batch according to its header, which may also be damaged. */
  readonly damagedOffset?: bigint | undefined;
}

/**
 * Decodes the response to a fetch (versions 4 to 11). kafkajs ignores the checksum of a batch, and a broker sends the
 * bytes from its disk unchecked, so each batch is verified here first. The messages of a partition end before its first
 * damaged batch.
 */
export async function decodeFetch(bytes: Buffer, version: number): Promise<FetchAnswer> {
  const decoder = new Decoder(bytes);
  const clientSideThrottleTime = decoder.readInt32();
  if (version >= 7) {
    decoder.readInt16(); // error of the fetch session, which is not used
    decoder.readInt32(); // id of the session
  }
  const responses = await decoder.readArrayAsync(async (ofTopic) => ({
    topicName: ofTopic.readString(),
    partitions: await ofTopic.readArrayAsync((one) => decodePartition(one, version)),
  }));
  return { clientSideThrottleTime, responses };
}

/** The broker itself detected the damage. */
const CORRUPT_MESSAGE = 2;

async function decodePartition(decoder: Decoder, version: number): Promise<PartitionAnswer> {
  const partition = decoder.readInt32();
  const error = decoder.readInt16();
  const highWatermark = decoder.readInt64();
  const lastStableOffset = decoder.readInt64();
  if (version >= 5) decoder.readInt64(); // beginning of the log
  const aborted = decoder.readArray((one) => ({
    producerId: one.readInt64(),
    firstOffset: one.readInt64(),
  }));
  if (version >= 11) decoder.readInt32(); // preferred replica
  const bytes = decoder.readBytes() ?? Buffer.alloc(0);
  const { batches, isDamaged, damagedOffset } = await decodeBatches(bytes, highWatermark);
  const isCorrupt = error === CORRUPT_MESSAGE;
  return {
    partition,
    errorCode: isCorrupt ? 0 : error,
    highWatermark,
    lastStableOffset,
    records: batches.flatMap(({ records }) => records),
    messages: batches.filter(createAbortedFilter(aborted)).flatMap(({ records }) => records),
    isDamaged: isDamaged || isCorrupt,
    damagedOffset,
  };
}

interface FoundBatches {
  readonly batches: readonly Batch[];
  readonly isDamaged: boolean;
  readonly damagedOffset?: bigint;
}

/** The last batch may be truncated by the request's limits; the first batch never is. */
async function decodeBatches(bytes: Buffer, highWatermark: bigint): Promise<FoundBatches> {
  const batches: Batch[] = [];
  let next = -1n;
  for (let at = 0; at < bytes.length; ) {
    const batch = await takeBatch(bytes.subarray(at), { next, highWatermark });
    if (batch === 'cut off' && at > 0) break;
    if (batch === 'cut off' || batch === 'damaged') {
      const damagedOffset = bytes.length - at < OFFSET_BYTES ? -1n : bytes.readBigInt64BE(at);
      return { batches, isDamaged: true, damagedOffset };
    }
    batches.push(batch);
    at += batch.size;
    next = batch.next;
  }
  return { batches, isDamaged: false };
}

interface Batch extends DecodedBatch {
  /** In bytes. */
  readonly size: number;
  /** The offset after the batch. */
  readonly next: bigint;
}

/** Sizes and positions of header fields. The length field excludes the offset and the length itself. */
const LENGTH_AT = 8;
const OFFSET_BYTES = 8;
const PREFIX_BYTES = 12;
const MAGIC_AT = 16;
const MAGIC = 2;
const CRC_AT = 17;
const CHECKED_FROM = 21;
const LAST_DELTA_AT = 23;
const HEADER_BYTES = 61;

/** The checksum covers everything starting with the attributes; the preceding fields are checked for plausibility. */
async function takeBatch(
  bytes: Buffer,
  { next, highWatermark }: { readonly next: bigint; readonly highWatermark: bigint },
): Promise<Batch | 'cut off' | 'damaged'> {
  if (bytes.length < HEADER_BYTES) return 'cut off';
  const size = PREFIX_BYTES + bytes.readInt32BE(LENGTH_AT);
  if (size < HEADER_BYTES || bytes.readInt8(MAGIC_AT) !== MAGIC) return 'damaged';
  if (size > bytes.length) return 'cut off';
  const batch = bytes.subarray(0, size);
  if (crc32c(batch.subarray(CHECKED_FROM)) !== batch.readUInt32BE(CRC_AT)) return 'damaged';
  const first = batch.readBigInt64BE();
  const end = first + BigInt(batch.readInt32BE(LAST_DELTA_AT)) + 1n;
  if (first < next || end > highWatermark) return 'damaged';
  const decoded = await decodeBatch(batch);
  return decoded === undefined ? 'damaged' : { ...decoded, size, next: end };
}
