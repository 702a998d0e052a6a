import { describe, expect, it } from 'vitest';
import { decodeProgress, encodeProgress } from './delivery-progress.ts';

describe('progress metadata', () => {
  it('is empty when no message beyond the position is recorded', () => {
    expect(encodeProgress({ open: [], end: 7n })).toEqual({ metadata: '', end: 7n });
    expect(encodeProgress({ open: [9n, 10n], end: 7n })).toMatchObject({ metadata: '' });
    expect(decodeProgress(7n, '')).toEqual({ open: [], end: 7n });
  });

  it('contains runs of open and recorded messages', () => {
    const open = [10n, 11n, 12n, 50n, 90n];
    expect(encodeProgress({ open, end: 60n })).toEqual({ metadata: '3.11.1.9', end: 60n });
    expect(decodeProgress(10n, '3.11.1.9')).toEqual({ open: [10n, 11n, 12n, 50n], end: 60n });
  });

  it('stops at an earlier offset if it would otherwise be too long', () => {
    const open = [0n, 10n, 20n, 30n];
    const { metadata, end } = encodeProgress({ open, end: 40n }, 8);
    expect({ metadata, end }).toEqual({ metadata: '1.9.1.9', end: 20n });
    expect(decodeProgress(0n, metadata)).toEqual({ open: [0n, 10n], end: 20n });
  });

  it('is decoded to the encoded progress for any set of open messages', () => {
    for (let seed = 1; seed < 500; seed++) {
      const random = randomBits(seed);
      const start = 2n ** 53n + BigInt(seed);
      const open = [start];
      for (let offset = 1n; offset < 60n; offset++) if (random()) open.push(start + offset);
      const end = (open.at(-1) ?? start) + 1n + BigInt(seed % 3);
      const encoded = encodeProgress({ open, end });
      const wanted = open.filter((offset) => offset < encoded.end);
      const decoded = decodeProgress(start, encoded.metadata);
      expect(decoded.open).toEqual(wanted);
      expect(decoded.end).toBe(encoded.end);
    }
  });

  it.each(['x', '1', '1.', '1.2.3', 'A.1', '1.2 ', '-1.2'])('is rejected if it is %j', (text) => {
    expect(() => decodeProgress(0n, text)).toThrow('invalid delivery progress');
  });
});

function randomBits(seed: number): () => boolean {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 16) % 2 === 0;
  };
}
