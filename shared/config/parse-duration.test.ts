import { describe, expect, it } from 'vitest';
import { parseDuration } from './parse-duration.ts';

describe('parseDuration', () => {
  it.each([
    ['0', 0],
    ['500ms', 500],
    ['10s', 10_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
  ])('parses %s as %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5', '-5s', '1.5h', '5 m', 'm', '5M', '9999999999s'])(
    'returns undefined for %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});
