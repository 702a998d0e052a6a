import { expect, it } from 'vitest';
import { percentileOf } from './percentile.ts';

it('finds a percentile within the bucket that has it', () => {
  const latency = { '0.1': 50, '0.2': 50 };
  expect(percentileOf(latency, 0.5)).toBeCloseTo(0.1);
  expect(percentileOf(latency, 0.75)).toBeCloseTo(0.15);
  expect(percentileOf(latency, 0.99)).toBeCloseTo(0.198);
});

it('sorts buckets by their bounds, not by their names', () => {
  expect(percentileOf({ '10': 1, '2.5': 99 }, 0.5)).toBeLessThan(2.5);
});

it('knows no more of slow requests than the bound before', () => {
  expect(percentileOf({ '0.1': 1, '30': 1, '+Inf': 8 }, 0.99)).toBe(30);
});

it('knows nothing without requests', () => {
  expect(percentileOf({}, 0.5)).toBeUndefined();
});
