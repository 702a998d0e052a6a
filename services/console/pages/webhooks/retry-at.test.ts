import { expect, it } from 'vitest';
import { retryAt } from './retry-at.ts';

it.each([
  ['10m', 600_000],
  ['500ms', 500],
  ['1h', 3_600_000],
])('adds %s', (period, ms) => {
  expect(retryAt(1_000, period)).toBe(1_000 + ms);
});

it.each(['', '10', 'm', '1 h', '-1s'])('knows nothing of %j', (period) => {
  expect(retryAt(0, period)).toBeUndefined();
});
