import { expect, it } from 'vitest';
import { readPeriod } from './read-period.ts';

it.each([
  ['10m', 600_000],
  ['500ms', 500],
  ['1h', 3_600_000],
])('parses %s', (period, ms) => {
  expect(readPeriod(period)).toBe(ms);
});

it.each(['', '10', 'm', '1 h', '-1s'])('returns undefined for %j', (period) => {
  expect(readPeriod(period)).toBeUndefined();
});
