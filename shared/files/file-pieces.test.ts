import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { Unavailable } from '../domain/errors.ts';
import { digestPieces, PORTION_BYTES, provenPieces, toPortions } from './file-pieces.ts';

const bytes = Buffer.from(Array.from({ length: 2 * PORTION_BYTES + 5 }, (_, index) => index % 251));

function* cut(size: number, content = bytes): Generator<Buffer> {
  for (let from = 0; from < content.length; from += size) {
    yield content.subarray(from, from + size);
  }
}

it.each([1_000_003, 7_000_000])(
  'cuts pieces of %d bytes into portions of equal size',
  async (size) => {
    const portions = await Readable.from(toPortions(cut(size))).toArray();
    expect(portions.map(({ length }) => length)).toEqual([PORTION_BYTES, PORTION_BYTES, 5]);
    expect(Buffer.concat(portions).equals(bytes)).toBe(true);
  },
);

it('yields no portion for an empty file', async () => {
  expect(await Readable.from(toPortions([Buffer.alloc(0)])).toArray()).toEqual([]);
});

it('computes the same digest from pieces as from the whole file', async () => {
  const { size, sha256, portions } = await digestPieces(cut(600_000));
  expect(size).toBe(bytes.length);
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(portions).toHaveLength(3);
});

it('yields the digested bytes regardless of how they are cut into pieces', async () => {
  const digest = await digestPieces(cut(600_000));
  const proven = await Readable.from(provenPieces(cut(900_001), digest)).toArray();
  expect(Buffer.concat(proven).equals(bytes)).toBe(true);
});

it.each([
  ['differ', Buffer.concat([bytes.subarray(0, PORTION_BYTES), Buffer.alloc(PORTION_BYTES + 5)])],
  ['end early', bytes.subarray(0, PORTION_BYTES)],
  ['continue', Buffer.concat([bytes, Buffer.from('more')])],
])('throws before the first differing portion when the pieces %s', async (_what, changed) => {
  const digest = await digestPieces(cut(600_000));
  const yielded: Buffer[] = [];
  const proving = async () => {
    for await (const portion of provenPieces([changed], digest)) yielded.push(portion);
  };
  await expect(proving()).rejects.toThrow(Unavailable);
  const before = Buffer.concat(yielded);
  expect(before.equals(bytes.subarray(0, before.length))).toBe(true);
});
