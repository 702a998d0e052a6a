import { describe, expect, it } from 'vitest';
import { takePortion } from './take-portion.ts';

const ending = (bytes: number, partition = 0) => ({
  messages: [{ topic: 'attempts', partition, value: Buffer.alloc(bytes) }],
});

describe('a portion', () => {
  it('is everything when it is little', () => {
    const endings = [ending(10), ending(10)];
    expect(takePortion(endings)).toEqual({ portion: endings, rest: [] });
    expect(takePortion([])).toEqual({ portion: [], rest: [] });
  });

  it('ends before a batch of the log would get too large for a broker', () => {
    const endings = [ending(500_000), ending(500_000), ending(10)];
    expect(takePortion(endings).portion).toEqual(endings.slice(0, 1));
  });

  it('counts each partition by itself', () => {
    const endings = [ending(500_000), ending(500_000, 1), ending(10)];
    expect(takePortion(endings).rest).toEqual([]);
  });

  it('is never empty, however large the first one', () => {
    expect(takePortion([ending(2_000_000)]).portion).toHaveLength(1);
  });

  it('holds a bounded number of endings', () => {
    const endings = Array.from({ length: 12_000 }, () => ending(1));
    expect(takePortion(endings).portion).toHaveLength(5_000);
  });
});
