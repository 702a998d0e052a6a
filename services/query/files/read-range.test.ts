import { expect, it } from 'vitest';
import { readRange } from './read-range.ts';

it.each([
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=2-4', { from: 2, to: 5 }],
  ['bytes=8-', { from: 8, to: 10 }],
  ['bytes=-3', { from: 7, to: 10 }],
  ['bytes=-30', { from: 0, to: 10 }],
  ['bytes=5-99', { from: 5, to: 10 }],
])('selects part of a ten-byte file for the header %s', (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});

it.each([
  undefined,
  '',
  'bytes=-',
  'bytes=4-2',
  'bytes=10-',
  'bytes=-0',
  'bytes=0-1,3-4',
  'lines=0-1',
  'bytes=a-b',
])('selects the whole file for the header %s', (header) => {
  expect(readRange(header, 10)).toBeUndefined();
});
