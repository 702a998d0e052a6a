import { encodeBatch } from '../../../shared/kafka/patch/encode-produce.ts';

/** Returns a batch of two messages as stored in a segment at this offset. */
export function aBatch(offset: bigint): Buffer {
  const batch = encodeBatch([
    { key: 'a', value: Buffer.from('first'), headers: { code: 'x' } },
    { key: 'b', value: Buffer.from('second') },
  ]);
  batch.writeBigInt64BE(offset);
  return batch;
}

const HIGH_WATERMARK = 100n;

/** Returns the response to a fetch of one partition. */
export function aFetchResponse(
  records: Buffer,
  { version = 11, error = 0, partition = 2, highWatermark = HIGH_WATERMARK } = {},
): Buffer {
  const int16 = (value: number) => {
    const bytes = Buffer.alloc(2);
    bytes.writeInt16BE(value);
    return bytes;
  };
  const int32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value);
    return bytes;
  };
  const int64 = (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(value);
    return bytes;
  };
  const topic = Buffer.from('annals.records');
  return Buffer.concat([
    int32(0),
    ...(version >= 7 ? [int16(0), int32(0)] : []),
    int32(1),
    int16(topic.length),
    topic,
    int32(1),
    int32(partition),
    int16(error),
    int64(highWatermark),
    int64(highWatermark),
    ...(version >= 5 ? [int64(0n)] : []),
    int32(0),
    ...(version >= 11 ? [int32(-1)] : []),
    int32(records.length),
    records,
  ]);
}
