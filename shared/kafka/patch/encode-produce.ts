import { crc32c } from '@node-rs/crc32';
import type { ProduceContent, ProducedMessage } from 'kafkajs/src/broker/index.js';

type Partition = ProduceContent['topicData'][number]['partitions'][number];

interface SizedRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly (readonly [name: Buffer, value: Buffer])[];
  readonly timestampDelta: number;
  readonly bodySize: number;
}

interface SizedPartition {
  readonly partition: Partition;
  readonly records: readonly SizedRecord[];
  readonly firstTimestamp: number;
  readonly maxTimestamp: number;
  /** The size of the record batch in bytes. */
  readonly size: number;
}

/** Encodes messages, uncompressed, as a log segment that starts with them. */
export function encodeBatch(messages: readonly ProducedMessage[]): Buffer {
  const sized = sizePartition({ partition: 0, messages }, Date.now());
  const write = createByteWriter(sized.size);
  writeBatch(write, sized, {});
  return write.buffer;
}

/**
 * Sizes of the header: base offset, length, leader epoch, magic, CRC; then, covered by the CRC, everything from the
 * attributes to the number of records.
 */
const BATCH_HEAD_BYTES = 21;
const BATCH_BODY_HEAD_BYTES = 40;
/** Size of the base offset and the length field. The length field does not include these bytes. */
const BATCH_PREFIX_BYTES = 12;
const MAGIC = 2;
const TRANSACTIONAL = 16;

/** Encodes the body of a produce request, versions 3 to 7, uncompressed. Produces the same bytes as kafkajs. */
export function encodeProduce(content: ProduceContent) {
  const { acks, timeout, transactionalId, topicData } = content;
  const now = Date.now();
  const topics = topicData.map(({ topic, partitions }) => ({
    name: Buffer.from(topic),
    partitions: partitions.map((partition) => sizePartition(partition, now)),
  }));
  const id = toBytes(transactionalId);
  const sizes = topics.map(({ name, partitions }) =>
    partitions.reduce((sum, { size }) => sum + 8 + size, 6 + name.length),
  );
  const write = createByteWriter(sizes.reduce((sum, size) => sum + size, 12 + (id?.length ?? 0)));
  write.int16(id?.length ?? -1);
  if (id !== null) write.bytes(id);
  write.int16(acks);
  write.int32(timeout);
  write.int32(topics.length);
  for (const { name, partitions } of topics) {
    write.int16(name.length);
    write.bytes(name);
    write.int32(partitions.length);
    for (const sized of partitions) {
      write.int32(sized.partition.partition);
      write.int32(sized.size);
      writeBatch(write, sized, content);
    }
  }
  // The object that kafkajs expects.
  return { buf: write.buffer, buffer: write.buffer };
}

function sizePartition(partition: Partition, now: number): SizedPartition {
  const { messages } = partition;
  const timestamps = messages.map(({ timestamp }) => Number(timestamp ?? now));
  const [earliest = now] = timestamps;
  const firstTimestamp = timestamps.reduce((one, other) => Math.min(one, other), earliest);
  const maxTimestamp = timestamps.reduce((one, other) => Math.max(one, other), earliest);
  const records = messages.map((message, index) =>
    sizeRecord(message, { index, timestampDelta: (timestamps[index] ?? now) - firstTimestamp }),
  );
  const size = records.reduce(
    (sum, { bodySize }) => sum + sizeOfVarInt(bodySize) + bodySize,
    BATCH_HEAD_BYTES + BATCH_BODY_HEAD_BYTES,
  );
  return { partition, records, firstTimestamp, maxTimestamp, size };
}

function sizeRecord(
  message: ProducedMessage,
  { index, timestampDelta }: { readonly index: number; readonly timestampDelta: number },
): SizedRecord {
  const [key, value] = [toBytes(message.key), toBytes(message.value)];
  const headers = Object.entries(message.headers ?? {}).map(
    ([name, text]) => [Buffer.from(name), toBytes(text) ?? Buffer.alloc(0)] as const,
  );
  const sizeOfHeaders = headers.reduce(
    (sum, [name, text]) => sum + sizeOfBytes(name) + sizeOfBytes(text),
    sizeOfVarInt(headers.length),
  );
  const bodySize =
    1 +
    sizeOfVarInt(timestampDelta) +
    sizeOfVarInt(index) +
    sizeOfBytes(key) +
    sizeOfBytes(value) +
    sizeOfHeaders;
  return { key, value, headers, timestampDelta, bodySize };
}

function writeBatch(
  write: ByteWriter,
  sized: SizedPartition,
  { transactionalId, producerId = '-1', producerEpoch = 0 }: Partial<ProduceContent>,
): void {
  const { partition, records, size } = sized;
  const start = write.at();
  write.int64(0n);
  write.int32(size - BATCH_PREFIX_BYTES);
  write.int32(0);
  write.int8(MAGIC);
  write.int32(0);
  write.int16((transactionalId ?? '') === '' ? 0 : TRANSACTIONAL);
  write.int32(records.length - 1);
  write.int64(BigInt(sized.firstTimestamp));
  write.int64(BigInt(sized.maxTimestamp));
  write.int64(BigInt(producerId));
  write.int16(producerEpoch);
  write.int32(partition.firstSequence ?? 0);
  write.int32(records.length);
  for (const [index, record] of records.entries()) writeRecord(write, record, index);
  const crc = crc32c(write.buffer.subarray(start + BATCH_HEAD_BYTES, start + size));
  write.buffer.writeUInt32BE(crc, start + BATCH_HEAD_BYTES - 4);
}

function writeRecord(write: ByteWriter, record: SizedRecord, index: number): void {
  const { key, value, headers, timestampDelta, bodySize } = record;
  write.varInt(bodySize);
  write.int8(0);
  write.varInt(timestampDelta);
  write.varInt(index);
  writeVarBytes(write, key);
  writeVarBytes(write, value);
  write.varInt(headers.length);
  for (const [name, text] of headers) {
    writeVarBytes(write, name);
    writeVarBytes(write, text);
  }
}

function writeVarBytes(write: ByteWriter, bytes: Buffer | null): void {
  write.varInt(bytes?.length ?? -1);
  if (bytes !== null) write.bytes(bytes);
}

function toBytes(value: Buffer | string | null | undefined): Buffer | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? Buffer.from(value) : value;
}

function sizeOfBytes(bytes: Buffer | null): number {
  return bytes === null ? 1 : sizeOfVarInt(bytes.length) + bytes.length;
}

function sizeOfVarInt(value: number): number {
  let size = 1;
  for (let rest = zigZag(value); rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

/** Maps integers up to 2^52 to non-negative ones, as varints require. */
function zigZag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

type ByteWriter = ReturnType<typeof createByteWriter>;

function createByteWriter(size: number) {
  const buffer = Buffer.allocUnsafe(size);
  let at = 0;
  return {
    buffer,
    at: () => at,
    int8(value: number): void {
      at = buffer.writeInt8(value, at);
    },
    int16(value: number): void {
      at = buffer.writeInt16BE(value, at);
    },
    int32(value: number): void {
      at = buffer.writeInt32BE(value, at);
    },
    int64(value: bigint): void {
      at = buffer.writeBigInt64BE(value, at);
    },
    varInt(value: number): void {
      let rest = zigZag(value);
      for (; rest >= 128; rest = Math.floor(rest / 128))
        at = buffer.writeUInt8((rest % 128) + 128, at);
      at = buffer.writeUInt8(rest, at);
    },
    bytes(bytes: Buffer): void {
      at += bytes.copy(buffer, at);
    },
  };
}
