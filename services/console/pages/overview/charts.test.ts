import { expect, it } from 'vitest';
import { isolatedIndices, rateUnit, summarise } from './charts.ts';

it('returns the latest and the highest measured value of a line', () => {
  expect(summarise([1, 5, 2, null])).toEqual({ last: 2, peak: 5 });
  expect(summarise([0, null])).toEqual({ last: 0, peak: 0 });
  expect(summarise([null, null])).toBeUndefined();
});

it.each([
  [0, ['s', 1]],
  [1.5, ['s', 1]],
  [0.05, ['min', 60]],
  [0.0025, ['h', 3_600]],
])(
  'returns the shortest unit in which a rate of %d per second is at least one',
  (rate, expected) => {
    expect(rateUnit(rate)).toEqual(expected);
  },
);

it('returns the measured values that have no measured neighbour', () => {
  expect(isolatedIndices([5, null, 1, 2, undefined, 0])).toEqual([0, 5]);
  expect(isolatedIndices([null])).toEqual([]);
});
