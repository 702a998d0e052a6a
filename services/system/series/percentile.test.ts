import { expect, it } from 'vitest';
import { percentileOf } from './percentile.ts';

it('interpolates a percentile within its bucket', () => {
  const bounds = [0.1, 0.2];
  expect(percentileOf(bounds, [50, 50, 0], 0.5)).toBeCloseTo(0.1);
  expect(percentileOf(bounds, [50, 50, 0], 0.75)).toBeCloseTo(0.15);
  expect(percentileOf(bounds, [50, 50, 0], 0.99)).toBeCloseTo(0.198);
});

it('returns the highest bound for requests beyond it', () => {
  expect(percentileOf([0.1, 30], [1, 1, 8], 0.99)).toBe(30);
});

it('returns undefined without requests', () => {
  expect(percentileOf([0.1], [0, 0], 0.5)).toBeUndefined();
});
