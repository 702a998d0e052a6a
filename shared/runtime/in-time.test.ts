import { describe, expect, it } from 'vitest';
import { Unavailable } from '../domain/errors.ts';
import { inTime } from './in-time.ts';

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}

describe('work with a time limit', () => {
  it('returns its result and removes the timer', async () => {
    const before = countTimers();
    const work = inTime(Promise.resolve('done'), 60_000);
    expect(countTimers()).toBe(before + 1);
    expect(await work).toBe('done');
    expect(countTimers()).toBe(before);
  });

  it('rejects with its error and removes the timer', async () => {
    const before = countTimers();
    await expect(inTime(Promise.reject(new Error('failed')), 60_000)).rejects.toThrow('failed');
    expect(countTimers()).toBe(before);
  });

  it.each([5, 0, -5])(
    'is rejected as unavailable after %s ms, even if it fails later',
    async (ms) => {
      const { promise, reject } = Promise.withResolvers<never>();
      const late = new Unavailable('too late');
      await expect(inTime(promise, ms, () => late)).rejects.toThrow(late);
      reject(new Error('failed'));
      await new Promise(setImmediate);
    },
  );
});
