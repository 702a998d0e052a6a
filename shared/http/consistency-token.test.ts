import { describe, expect, it } from 'vitest';
import {
  joinConsistencyTokens,
  readConsistencyToken,
  toConsistencyToken,
} from './consistency-token.ts';

describe('a consistency token', () => {
  it('is parsed to its original positions', () => {
    const places = [
      { log: 'records', partition: 3, offset: 12345678901234n },
      { log: 'directory', partition: 0, offset: -1n },
    ] as const;
    const tokens = places.map(toConsistencyToken);
    expect(readConsistencyToken(tokens.join(', '))).toEqual(places);
    expect(readConsistencyToken(tokens)).toEqual(places);
  });

  it('contains each partition once for several writes', () => {
    expect(joinConsistencyTokens(['r1-5', 'r0-7', 'r1-9', 'd0-1', 'r1-6'])).toBe('r1-9,r0-7,d0-1');
  });

  it.each(['', 'r', 'x0-1', 'r0-', 'r-1', 'r0--2', 'r0-1,', `r0-1${',r0-1'.repeat(1_000)}`])(
    'is rejected if it is %j',
    (text) => {
      expect(() => readConsistencyToken(text)).toThrow(/X-Consistency-Token/);
    },
  );
});
