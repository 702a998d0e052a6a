import { expect, it } from 'vitest';
import { endOfSlice } from './fit-page.ts';

const slicesOf = (sizes: readonly number[], limits: { maxBytes?: number; maxRows?: number }) => {
  const ends: number[] = [];
  for (let from = 0; from < sizes.length; from = ends.at(-1) ?? 0) {
    ends.push(endOfSlice(sizes, from, limits));
  }
  return ends;
};

it('ends a slice with the entry that reaches the limit', () => {
  expect(slicesOf([4, 4, 4, 4], { maxBytes: 8 })).toEqual([2, 4]);
  expect(slicesOf([4, 5, 4, 4], { maxBytes: 8 })).toEqual([2, 4]);
  expect(slicesOf([3, 3, 3, 3], { maxBytes: 8 })).toEqual([3, 4]);
});

it('ends a slice after an entry above the limit', () => {
  expect(slicesOf([100, 1, 100, 100], { maxBytes: 8 })).toEqual([1, 3, 4]);
});

it('limits the number of entries in a slice regardless of their size', () => {
  expect(slicesOf([0, 0, 0, 0, 0], { maxBytes: 8, maxRows: 2 })).toEqual([2, 4, 5]);
});

it('includes everything that fits in a page by default', () => {
  expect(slicesOf([1, 2, 3], {})).toEqual([3]);
  expect(slicesOf([], {})).toEqual([]);
});
