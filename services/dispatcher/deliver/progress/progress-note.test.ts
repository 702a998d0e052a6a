import { describe, expect, it } from 'vitest';
import { decodeProgressNote, encodeProgressNote } from './progress-note.ts';

describe('a progress note', () => {
  it('is empty when nothing beyond the position is recorded', () => {
    expect(encodeProgressNote({ open: [], end: 7n })).toEqual({ note: '', end: 7n });
    expect(encodeProgressNote({ open: [9n, 10n], end: 7n })).toMatchObject({ note: '' });
    expect(decodeProgressNote(7n, '')).toEqual({ open: [], end: 7n });
  });

  it('holds runs of open and of recorded messages', () => {
    const open = [10n, 11n, 12n, 50n, 90n];
    expect(encodeProgressNote({ open, end: 60n })).toEqual({ note: '3.11.1.9', end: 60n });
    expect(decodeProgressNote(10n, '3.11.1.9')).toEqual({ open: [10n, 11n, 12n, 50n], end: 60n });
  });

  it('says how far it reaches when its room does not suffice', () => {
    const open = [0n, 10n, 20n, 30n];
    const { note, end } = encodeProgressNote({ open, end: 40n }, 8);
    expect({ note, end }).toEqual({ note: '1.9.1.9', end: 20n });
    expect(decodeProgressNote(0n, note)).toEqual({ open: [0n, 10n], end: 20n });
  });

  it('comes back as it was, whatever is open', () => {
    for (let seed = 1; seed < 500; seed++) {
      const random = randomBits(seed);
      const start = 2n ** 53n + BigInt(seed);
      const open = [start];
      for (let offset = 1n; offset < 60n; offset++) if (random()) open.push(start + offset);
      const end = (open.at(-1) ?? start) + 1n + BigInt(seed % 3);
      const encoded = encodeProgressNote({ open, end });
      const wanted = open.filter((offset) => offset < encoded.end);
      const decoded = decodeProgressNote(start, encoded.note);
      expect(decoded.open).toEqual(wanted);
      expect(decoded.end).toBe(encoded.end);
    }
  });

  it.each(['x', '1', '1.', '1.2.3', 'A.1', '1.2 ', '-1.2'])('is not read from %j', (text) => {
    expect(() => decodeProgressNote(0n, text)).toThrow('not a progress note');
  });
});

function randomBits(seed: number): () => boolean {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 16) % 2 === 0;
  };
}
