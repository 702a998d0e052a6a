import { expect, it } from 'vitest';
import { readableRate, summarise } from './charts.ts';

it('returns the latest and the highest measured value of a line', () => {
  expect(summarise([1, 5, 2, null])).toEqual({ last: 2, peak: 5 });
  expect(summarise([0, null])).toEqual({ last: 0, peak: 0 });
  expect(summarise([null, null])).toBeUndefined();
});

it.each([
  [0, [0, 's']],
  [1.5, [1.5, 's']],
  [0.05, [3, 'min']],
  [0.0025, [9, 'h']],
])(
  'returns the rate of %d per second in the unit in which it is at least one',
  (rate, expected) => {
    expect(readableRate(rate)).toEqual(expected);
  },
);
