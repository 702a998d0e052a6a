import { expect, it } from 'vitest';
import { summarise } from './charts.ts';

it('returns the latest and the highest measured value of a line', () => {
  expect(summarise([1, 5, 2, null])).toEqual({ last: 2, peak: 5 });
  expect(summarise([0, null])).toEqual({ last: 0, peak: 0 });
  expect(summarise([null, null])).toBeUndefined();
});
