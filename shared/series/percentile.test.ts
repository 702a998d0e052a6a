import { expect, it } from 'vitest';
import { percentileOf } from './percentile.ts';

it('interpolates a percentile within its bucket', () => {
  const latency = { '0.1': 50, '0.2': 50 };
  expect(percentileOf(latency, 0.5)).toBeCloseTo(0.1);
  expect(percentileOf(latency, 0.75)).toBeCloseTo(0.15);
  expect(percentileOf(latency, 0.99)).toBeCloseTo(0.198);
});

it('sorts buckets by their bounds, not by their names', () => {
  expect(percentileOf({ '10': 1, '2.5': 99 }, 0.5)).toBeLessThan(2.5);
});

it('returns the highest finite bound for requests beyond it', () => {
  expect(percentileOf({ '0.1': 1, '30': 1, '+Inf': 8 }, 0.99)).toBe(30);
});

it('returns undefined without requests', () => {
  expect(percentileOf({}, 0.5)).toBeUndefined();
});
