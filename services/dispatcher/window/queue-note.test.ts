import { expect, it } from 'vitest';
import { decodeQueueNote, encodeQueueNote } from './queue-note.ts';

const position = {
  topic: 'records',
  partition: 0,
  offset: 7n,
  token: 'abc',
  sequence: 3,
  sealed: true,
};

it('keeps the fold and the last run beside a position', () => {
  const lastRun = { begunAt: 1_700_000_000_000, requested: 5 };
  expect(decodeQueueNote(encodeQueueNote(position, lastRun))).toEqual({
    token: 'abc',
    sequence: 3,
    sealed: true,
    ...lastRun,
  });
  expect(decodeQueueNote(encodeQueueNote({ ...position, token: null }, lastRun))).toMatchObject({
    token: null,
  });
});

it('reads the note of a version that kept no time', () => {
  expect(decodeQueueNote('abc:3:5')).toEqual({
    token: 'abc',
    sequence: 3,
    sealed: false,
    requested: 5,
    begunAt: 0,
  });
});
