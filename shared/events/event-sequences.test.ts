import { expect, it } from 'vitest';
import { aBatch } from '../../test/support/builders/build-batch.ts';
import { readSequences, toSequencesText, withSequences } from './event-sequences.ts';

const [event] = aBatch.events;
if (event === undefined) throw new Error('a batch without events');
const batch = { ...aBatch, events: [event, event, event] };
const numbered = {
  ...batch,
  events: [{ ...event, sequence: 7 }, event, { ...event, sequence: 8 }],
};

it('writes event numbers as text and restores them in the enqueued batch', () => {
  expect(toSequencesText(numbered.events)).toBe('7,,8');
  expect(withSequences(batch, '7,,8')).toEqual(numbered);
});

it('writes nothing for events without numbers and does not change their batch', () => {
  expect(toSequencesText(batch.events)).toBeUndefined();
  expect(withSequences(batch, null)).toBe(batch);
});

it('keeps the numbers with which a batch was enqueued', () => {
  expect(withSequences(numbered, '1,2,3')).toBe(numbered);
});

it.each(['', '1,2', '1,2,x', '1,2,3,4', '-1,2,3'])(
  'ignores text that does not match the batch: %j',
  (text) => {
    expect(withSequences(batch, text)).toBe(batch);
  },
);

it('reads malformed text as no numbers', () => {
  expect(readSequences('1, 2')).toEqual([]);
});
