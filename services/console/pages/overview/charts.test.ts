import { expect, it } from 'vitest';
import { summarise } from './charts.ts';

it('tells the newest value that was measured, and the highest', () => {
  expect(summarise([1, 5, 2, null])).toEqual({ last: 2, most: 5 });
  expect(summarise([0, null])).toEqual({ last: 0, most: 0 });
  expect(summarise([null, null])).toBeUndefined();
});
