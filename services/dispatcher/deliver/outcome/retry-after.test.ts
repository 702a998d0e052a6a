import { describe, expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = Date.parse('2026-01-02T03:04:05Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    ['3600', 3_600_000],
    ['86400', 3_600_000],
    ['99999999999999999999999', 3_600_000],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60_000],
    ['Fri, 02 Jan 2026 09:04:05 GMT', 3_600_000],
    ['Fri, 02 Jan 2026 03:00:00 GMT', 0],
  ])('%s means %d ms', (value, ms) => {
    expect(readRetryAfter(['server', 'x', 'Retry-After', value], now)).toBe(ms);
  });

  it.each([['soon'], [''], ['1e3 s'], ['NaN']])('is ignored if it is %j', (value) => {
    expect(readRetryAfter(['retry-after', value], now)).toBeUndefined();
  });

  it('is read only from header names, not from values', () => {
    expect(readRetryAfter([], now)).toBeUndefined();
    expect(readRetryAfter(['x-hint', 'retry-after', 'age', '5'], now)).toBeUndefined();
  });
});
