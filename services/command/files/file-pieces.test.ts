import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { digestPieces, PORTION_BYTES, provenPieces, toPortions } from './file-pieces.ts';

const bytes = Buffer.from(Array.from({ length: 2 * PORTION_BYTES + 5 }, (_, index) => index % 251));

function* cut(size: number, content = bytes): Generator<Buffer> {
  for (let from = 0; from < content.length; from += size) {
    yield content.subarray(from, from + size);
  }
}

it.each([1_000_003, 7_000_000])('makes portions of one size from pieces of %d', async (size) => {
  const portions = await Readable.from(toPortions(cut(size))).toArray();
  expect(portions.map(({ length }) => length)).toEqual([PORTION_BYTES, PORTION_BYTES, 5]);
  expect(Buffer.concat(portions).equals(bytes)).toBe(true);
});

it('makes no portion of no bytes', async () => {
  expect(await Readable.from(toPortions([Buffer.alloc(0)])).toArray()).toEqual([]);
});

it('digests a file in pieces as it would be digested whole', async () => {
  const { size, sha256, portions } = await digestPieces(cut(600_000));
  expect(size).toBe(bytes.length);
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(portions).toHaveLength(3);
});

it('hands on the pieces that were digested, however they are cut', async () => {
  const digest = await digestPieces(cut(600_000));
  const proven = await Readable.from(provenPieces(cut(900_001), digest)).toArray();
  expect(Buffer.concat(proven).equals(bytes)).toBe(true);
});

it.each([
  ['differ', Buffer.concat([bytes.subarray(0, PORTION_BYTES), Buffer.alloc(PORTION_BYTES + 5)])],
  ['end early', bytes.subarray(0, PORTION_BYTES)],
  ['continue', Buffer.concat([bytes, Buffer.from('more')])],
])('hands on no portion of pieces that %s', async (_what, changed) => {
  const digest = await digestPieces(cut(600_000));
  const handedOn: Buffer[] = [];
  const proving = async () => {
    for await (const portion of provenPieces([changed], digest)) handedOn.push(portion);
  };
  await expect(proving()).rejects.toThrow(Unavailable);
  const before = Buffer.concat(handedOn);
  expect(before.equals(bytes.subarray(0, before.length))).toBe(true);
});
