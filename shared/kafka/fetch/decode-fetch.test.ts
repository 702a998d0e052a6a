import { describe, expect, it } from 'vitest';
import { aBatch, aFetchResponse } from '../../../test/support/builders/fetch-response.ts';
import { decodeFetch, type FetchAnswer } from './decode-fetch.ts';

async function decode(...batches: readonly Buffer[]) {
  const answer = await decodeFetch(aFetchResponse(Buffer.concat(batches)), 11);
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
  it.each([4, 5, 7, 11])('reads the batches in a version %i response', async (version) => {
    const answer = await decodeFetch(aFetchResponse(aBatch(0n), { version }), version);
    expect(partitionOf(answer)).toEqual({ ...whole, texts: two });
  });

  it('reads nothing from an empty response', async () => {
    expect(await decode()).toEqual({ ...whole, texts: [] });
  });

  it('ends before a truncated batch', async () => {
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

  it('detects every flipped bit that would change the messages', async () => {
    const batch = aBatch(0n);
    const undetected: string[] = [];
    for (let byte = 0; byte < batch.length; byte += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const { isDamaged, texts } = await decode(flipped(batch, byte, bit), aBatch(2n));
        const isSame = texts.join() === '0 first,1 second,2 first,3 second';
        if (!isDamaged && !isSame) undetected.push(`byte ${byte} bit ${bit}`);
      }
    }
    expect(undetected).toEqual([]);
  });

  it('treats a truncated first batch as damaged', async () => {
    expect(await decode(aBatch(0n).subarray(0, 70))).toMatchObject({ isDamaged: true, texts: [] });
  });

  it('reports damage detected by the broker and passes on other broker errors', async () => {
    const corrupt = await decodeFetch(aFetchResponse(Buffer.alloc(0), { error: 2 }), 11);
    expect(partitionOf(corrupt)).toEqual({ isDamaged: true, errorCode: 0, texts: [] });
    const unknown = await decodeFetch(aFetchResponse(Buffer.alloc(0), { error: 3 }), 11);
    expect(partitionOf(unknown)).toEqual({ isDamaged: false, errorCode: 3, texts: [] });
  });
});
