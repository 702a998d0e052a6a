import { expect, it } from 'vitest';
import { decodeMetadata, encodeMetadata } from './run-metadata.ts';

const position = {
  topic: 'records',
  partition: 0,
  offset: 7n,
  token: 'abc',
  sequence: 3,
  sealed: true,
};

it('stores the fold state and the last run with a position', () => {
  const lastRun = { begunAt: 1_700_000_000_000, requested: 5 };
  expect(decodeMetadata(encodeMetadata(position, lastRun))).toEqual({
    token: 'abc',
    sequence: 3,
    sealed: true,
    ...lastRun,
  });
  expect(decodeMetadata(encodeMetadata({ ...position, token: null }, lastRun))).toMatchObject({
    token: null,
  });
});

it('reads metadata from a version that did not store the time of the last run', () => {
  expect(decodeMetadata('abc:3:5')).toEqual({
    token: 'abc',
    sequence: 3,
    sealed: false,
    requested: 5,
    begunAt: 0,
  });
});
