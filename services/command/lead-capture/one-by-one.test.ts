import { setImmediate as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createOneByOne } from './one-by-one.ts';

it('runs work for the same key in order, also after a failure, and other keys without waiting', async () => {
  const oneByOne = createOneByOne();
  const log: string[] = [];
  const work = (name: string, failure?: Error) => async () => {
    log.push(`${name} starts`);
    await pause();
    log.push(`${name} ends`);
    if (failure !== undefined) throw failure;
    return name;
  };
  const failed = new Error('failed');
  const all = Promise.allSettled([
    oneByOne('a', work('first', failed)),
    oneByOne('a', work('second')),
    oneByOne('b', work('other')),
  ]);
  expect(log).toEqual(['first starts', 'other starts']);
  expect(await all).toEqual([
    { status: 'rejected', reason: failed },
    { status: 'fulfilled', value: 'second' },
    { status: 'fulfilled', value: 'other' },
  ]);
  expect(log.filter((line) => !line.startsWith('other'))).toEqual([
    'first starts',
    'first ends',
    'second starts',
    'second ends',
  ]);
  expect(await oneByOne('a', work('third'))).toBe('third');
});
