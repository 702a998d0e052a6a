import { expect, it } from 'vitest';
import { counted } from './counted.ts';

it.each([
  [0, 'event', '0 events'],
  [1, 'event', '1 event'],
  [2, 'event', '2 events'],
  [1, 'entry', '1 entry'],
  [2, 'rejected entry', '2 rejected entries'],
  [2, 'day', '2 days'],
  [3, 'batch', '3 batches'],
])('formats %i %s as %s', (count, noun, text) => {
  expect(counted(count, noun)).toBe(text);
});
