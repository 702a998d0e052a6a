import { gzipSync } from 'node:zlib';
import { crc32c } from '@node-rs/crc32';
import Decoder from 'kafkajs/src/protocol/decoder.js';
import decodeWithKafkajs from 'kafkajs/src/protocol/recordBatch/v0/decoder.js';
import { describe, expect, it } from 'vitest';
import {
  createRandomSource,
  type RandomSource,
} from '../../../test/support/builders/random-source.ts';
import { encodeBatch } from '../patch/encode-produce.ts';
import { decodeBatch } from './decode-batch.ts';

/** Returns the records as kafkajs decodes them. */
async function decodeAsKafkajs(bytes: Buffer) {
  const { records } = await decodeWithKafkajs(new Decoder(bytes));
  return records.map(({ offset, key, value, timestamp, headers }) => ({
    offset: BigInt(offset),
    key: key?.toString('utf8') ?? null,
    value,
    timestamp: Number(timestamp),
    headers,
    proof: 'none',
  }));
}

function aMessage(random: RandomSource, time: number) {
  const bytes = (max: number) => Buffer.from(random.text(random.int(max)));
  const names = Array.from({ length: random.int(4) }, (_, index) => `${random.text(8)}${index}`);
  return {
    key: random.chance(0.1) ? null : random.text(30),
    value: random.chance(0.1) ? null : bytes(random.pick([1, 70, 200, 9_000])),
    timestamp: random.chance(0.9) ? time : random.pick([0, -1, 2 ** 51, -(2 ** 40)]),
    headers: Object.fromEntries(names.map((name) => [name, bytes(40)])),
  };
}

/** Returns a batch with random records and header fields. */
function aRandomBatch(seed: number): Buffer {
  const random = createRandomSource(seed);
  const time = 1_765_000_000_000;
  const batch = encodeBatch(
    Array.from({ length: random.int(40) }, (_, index) => aMessage(random, time + index)),
  );
  batch.writeBigInt64BE(random.pick([0n, 1n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 62n]));
  // LogAppendTime, transactional, control.
  batch.writeInt16BE(random.pick([0, 0, 8, 16, 32, 56]), 21);
  batch.writeBigInt64BE(random.pick([-1n, 7n, 2n ** 60n]), 43);
  return batch;
}

const seeds = Array.from({ length: 300 }, (_, index) => index);

describe('decodeBatch', () => {
  it('returns the same records as kafkajs for random batches', async () => {
    for (const seed of seeds) {
      const batch = aRandomBatch(seed);
      const decoded = await decodeBatch(batch);
      expect(decoded?.records, `seed ${seed}`).toEqual(await decodeAsKafkajs(batch));
      const attributes = batch.readInt16BE(21);
      expect(decoded).toMatchObject({
        isControl: (attributes & 32) !== 0,
        inTransaction: (attributes & 16) !== 0,
        producerId: batch.readBigInt64BE(43),
      });
    }
  });

  it('returns the same records as kafkajs for values of a megabyte', async () => {
    const batch = encodeBatch([
      { key: 'a', value: Buffer.alloc(1024 * 1024, 'ü') },
      { key: '\0', value: Buffer.alloc(70_000), headers: { big: Buffer.alloc(70_000, 1) } },
    ]);
    expect((await decodeBatch(batch))?.records).toEqual(await decodeAsKafkajs(batch));
  });

  it('returns the same records as kafkajs for a compressed batch', async () => {
    const messages = [{ key: 'a', value: Buffer.from('first'), headers: { code: 'x' } }];
    const plain = encodeBatch(messages);
    const batch = Buffer.concat([plain.subarray(0, 61), gzipSync(plain.subarray(61))]);
    batch.writeInt32BE(batch.length - 12, 8);
    batch.writeInt16BE(1, 21);
    expect((await decodeBatch(batch))?.records).toEqual(await decodeAsKafkajs(batch));
  });

  it('returns empty bytes for headers without a value and for repeated headers', async () => {
    const batch = encodeBatch([
      { key: 'k', value: null, headers: { one: '', xa: '1', xb: '2', xc: '3' } },
    ]);
    const nameAt = (name: string) => batch.indexOf(name);
    batch.writeUInt8(1, nameAt('one') + 3); // -1 instead of the length 0
    for (const name of ['xa', 'xb', 'xc']) batch.write('x', nameAt(name) + 1);
    const [record] = (await decodeBatch(batch))?.records ?? [];
    expect({ ...record?.headers }).toEqual({ one: Buffer.alloc(0), xx: Buffer.alloc(0) });
    expect((await decodeAsKafkajs(batch))[0]?.headers).toMatchObject({ one: null });
  });

  it('returns headers with the names of inherited object properties', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const headers = Object.fromEntries(names.map((name) => [name, Buffer.from(name)]));
    const [record] = (await decodeBatch(encodeBatch([{ value: null, headers }])))?.records ?? [];
    expect(Object.entries(record?.headers ?? {})).toEqual(Object.entries(headers));
  });

  it('never reads beyond the batch for random bytes with a correct checksum', async () => {
    for (const seed of seeds) {
      const random = createRandomSource(seed);
      const batch = aRandomBatch(seed);
      batch.writeInt16BE(0, 21);
      for (let change = random.int(4); change >= 0; change -= 1) {
        batch.writeUInt8(random.int(256), 57 + random.int(batch.length - 57));
      }
      batch.writeUInt32BE(crc32c(batch.subarray(21)), 17);
      const decoded = await decodeBatch(batch);
      const size = decoded?.records.reduce((sum, { value }) => sum + (value?.length ?? 0), 0) ?? 0;
      expect(size, `seed ${seed}`).toBeLessThan(batch.length);
    }
  });

  it('returns undefined for a batch with a wrong record count', async () => {
    const batch = encodeBatch([{ value: Buffer.from('1') }, { value: Buffer.from('2') }]);
    for (const count of [-1, 0, 1, 3, 2 ** 31 - 1]) {
      batch.writeInt32BE(count, 57);
      expect(await decodeBatch(batch)).toBeUndefined();
    }
  });
});
