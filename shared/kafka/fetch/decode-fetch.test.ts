import type { FetchAnswer } from 'kafkajs/src/broker/index.js';
import { describe, expect, it } from 'vitest';
import { encodeBatch } from '../patch/encode-produce.ts';
import { decodeFetch } from './decode-fetch.ts';

/** A batch of two messages, as it is in a segment from this offset on. */
function aBatch(offset: bigint): Buffer {
  const batch = encodeBatch([
    { key: 'a', value: Buffer.from('first'), headers: { code: 'x' } },
    { key: 'b', value: Buffer.from('second') },
  ]);
  batch.writeBigInt64BE(offset);
  return batch;
}

const HIGH_WATERMARK = 100n;

/** The response to a fetch of one partition. */
function anAnswer(records: Buffer, { version = 11, error = 0 } = {}): Buffer {
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
    int32(2),
    int16(error),
    int64(HIGH_WATERMARK),
    int64(HIGH_WATERMARK),
    ...(version >= 5 ? [int64(0n)] : []),
    int32(0),
    ...(version >= 11 ? [int32(-1)] : []),
    int32(records.length),
    records,
  ]);
}

async function decode(...batches: readonly Buffer[]) {
  const answer = await decodeFetch(anAnswer(Buffer.concat(batches)), 11);
  return partitionOf(answer);
}

function partitionOf({ responses }: FetchAnswer) {
  const found = responses[0]?.partitions[0];
  if (found === undefined) throw new Error('no partition in the answer');
  const { isDamaged, errorCode, messages } = found;
  return {
    isDamaged,
    errorCode,
    texts: messages.map(({ offset, value }) => `${offset} ${value?.toString()}`),
  };
}

function flipped(batch: Buffer, byte: number, bit = 0): Buffer {
  const damaged = Buffer.from(batch);
  damaged.writeUInt8(damaged.readUInt8(byte) ^ (1 << bit), byte);
  return damaged;
}

const whole = { isDamaged: false, errorCode: 0 };
const two = ['0 first', '1 second'];

describe('decodeFetch', () => {
  it.each([4, 5, 7, 11])('reads the batches of a response of version %i', async (version) => {
    const answer = await decodeFetch(anAnswer(aBatch(0n), { version }), version);
    expect(partitionOf(answer)).toEqual({ ...whole, texts: two });
  });

  it('reads nothing from an empty answer', async () => {
    expect(await decode()).toEqual({ ...whole, texts: [] });
  });

  it('ends before a batch that the limits of the request cut off', async () => {
    expect(await decode(aBatch(0n), aBatch(2n).subarray(0, 70))).toEqual({ ...whole, texts: two });
    expect(await decode(aBatch(0n), aBatch(2n).subarray(0, 5))).toEqual({ ...whole, texts: two });
  });

  it('ends before a damaged batch', async () => {
    const damaged = flipped(aBatch(2n), 80);
    expect(await decode(aBatch(0n), damaged, aBatch(4n))).toEqual({
      isDamaged: true,
      errorCode: 0,
      texts: two,
    });
  });

  it('notices every flipped bit of a batch that changes what is read', async () => {
    const batch = aBatch(0n);
    const unnoticed: string[] = [];
    for (let byte = 0; byte < batch.length; byte += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const { isDamaged, texts } = await decode(flipped(batch, byte, bit), aBatch(2n));
        const isSame = texts.join() === '0 first,1 second,2 first,3 second';
        if (!isDamaged && !isSame) unnoticed.push(`byte ${byte} bit ${bit}`);
      }
    }
    expect(unnoticed).toEqual([]);
  });

  it('treats a first batch that does not fit the answer as damaged', async () => {
    expect(await decode(aBatch(0n).subarray(0, 70))).toMatchObject({ isDamaged: true, texts: [] });
  });

  it('reports the damage that the broker noticed itself, and passes on its other errors', async () => {
    const corrupt = await decodeFetch(anAnswer(Buffer.alloc(0), { error: 2 }), 11);
    expect(partitionOf(corrupt)).toEqual({ isDamaged: true, errorCode: 0, texts: [] });
    const unknown = await decodeFetch(anAnswer(Buffer.alloc(0), { error: 3 }), 11);
    expect(partitionOf(unknown)).toEqual({ isDamaged: false, errorCode: 3, texts: [] });
  });
});
