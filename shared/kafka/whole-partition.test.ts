import { describe, expect, it } from 'vitest';
import { findGap } from './whole-partition.ts';

const at = (...offsets: readonly number[]) => offsets.map((offset) => ({ offset: BigInt(offset) }));

describe('findGap', () => {
  it('returns undefined if the offsets are consecutive', () => {
    expect(findGap(at(), 5n)).toBeUndefined();
    expect(findGap(at(5, 6, 7), 5n)).toBeUndefined();
    // Kafka returns whole batches, so earlier entries may precede the offset.
    expect(findGap(at(3, 4, 5, 6), 5n)).toBeUndefined();
  });

  it('finds gaps before, between and after the entries in a batch', () => {
    expect(findGap(at(8, 9), 5n)).toEqual({ from: 5n, next: 8n });
    expect(findGap(at(5, 6, 9, 10), 5n)).toEqual({ from: 7n, next: 9n });
    expect(findGap(at(4, 5, 8), 5n)).toEqual({ from: 6n, next: 8n });
    expect(findGap(at(1, 3), 5n)).toEqual({ from: 5n, next: 6n });
  });
});
