import { crc32c } from '@node-rs/crc32';
import type { FetchAnswer, RawMessage } from 'kafkajs/src/broker/index.js';
import Decoder from 'kafkajs/src/protocol/decoder.js';
import decodeBatch from 'kafkajs/src/protocol/recordBatch/v0/decoder.js';

/**
 * Decodes the response to a fetch (versions 4 to 11). kafkajs ignores the checksum of a batch, and a broker sends the
 * bytes on its disk unchecked, so each batch is verified here first. The messages of a partition end before its first
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

type PartitionAnswer = FetchAnswer['responses'][number]['partitions'][number];

/** The broker itself detected the damage. */
const CORRUPT_MESSAGE = 2;

async function decodePartition(decoder: Decoder, version: number): Promise<PartitionAnswer> {
  const partition = decoder.readInt32();
  const error = decoder.readInt16();
  const highWatermark = decoder.readInt64();
  const lastStableOffset = decoder.readInt64().toString();
  if (version >= 5) decoder.readInt64(); // beginning of the log
  const abortedTransactions = decoder.readArray((one) => ({
    producerId: one.readInt64().toString(),
    firstOffset: one.readInt64().toString(),
  }));
  if (version >= 11) decoder.readInt32(); // preferred replica
  const records = await decodeRecords(decoder.readBytes() ?? Buffer.alloc(0), highWatermark);
  const isCorrupt = error === CORRUPT_MESSAGE;
  return {
    partition,
    errorCode: isCorrupt ? 0 : error,
    highWatermark: highWatermark.toString(),
    lastStableOffset,
    abortedTransactions,
    ...records,
    isDamaged: records.isDamaged || isCorrupt,
  };
}

type Records = Pick<PartitionAnswer, 'messages' | 'isDamaged' | 'damagedOffset'>;

/** The last batch may be truncated by the request's limits; the first batch never is. */
async function decodeRecords(bytes: Buffer, highWatermark: bigint): Promise<Records> {
  const messages: RawMessage[] = [];
  let next = -1n;
  for (let at = 0; at < bytes.length; ) {
    const batch = takeBatch(bytes.subarray(at), { next, highWatermark });
    if (batch === 'cut off' && at > 0) break;
    if (batch === 'cut off' || batch === 'damaged') {
      const damagedOffset = bytes.length - at < OFFSET_BYTES ? -1n : bytes.readBigInt64BE(at);
      return { messages, isDamaged: true, damagedOffset };
    }
    const { records } = await decodeBatch(new Decoder(batch.bytes));
    for (const record of records) messages.push(record);
    at += batch.bytes.length;
    next = batch.next;
  }
  return { messages, isDamaged: false };
}

interface Batch {
  readonly bytes: Buffer;
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
function takeBatch(
  bytes: Buffer,
  { next, highWatermark }: { readonly next: bigint; readonly highWatermark: bigint },
): Batch | 'cut off' | 'damaged' {
  if (bytes.length < HEADER_BYTES) return 'cut off';
  const size = PREFIX_BYTES + bytes.readInt32BE(LENGTH_AT);
  if (size < HEADER_BYTES || bytes.readInt8(MAGIC_AT) !== MAGIC) return 'damaged';
  if (size > bytes.length) return 'cut off';
  const batch = bytes.subarray(0, size);
  if (crc32c(batch.subarray(CHECKED_FROM)) !== batch.readUInt32BE(CRC_AT)) return 'damaged';
  const first = batch.readBigInt64BE();
  const end = first + BigInt(batch.readInt32BE(LAST_DELTA_AT)) + 1n;
  if (first < next || end > highWatermark) return 'damaged';
  return { bytes: batch, next: end };
}
