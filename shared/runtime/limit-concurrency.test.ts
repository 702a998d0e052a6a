import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { forEachParallel, limitConcurrency } from './limit-concurrency.ts';

describe('limitConcurrency', () => {
  it('runs all tasks in order with at most the allowed concurrency, even if some fail', async () => {
    const limited = limitConcurrency(2);
    const started: number[] = [];
    let running = 0;
    let most = 0;
    const task = async (index: number) => {
      started.push(index);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      if (index === 3) throw new Error('third');
      return index;
    };
    const results = await Promise.allSettled(
      [0, 1, 2, 3, 4, 5].map((index) => limited(() => task(index))),
    );
    expect(most).toBe(2);
    expect(started).toEqual([0, 1, 2, 3, 4, 5]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    await expect(limited(async () => 'free again')).resolves.toBe('free again');
  });
});

const hundred = Array.from({ length: 100 }, (_, index) => index);

describe('forEachParallel', () => {
  it('runs all tasks in order with limited concurrency', async () => {
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    await forEachParallel(hundred, 7, async (one) => {
      begun.push(one);
      running += 1;
      most = Math.max(most, running);
      await nextTurn();
      running -= 1;
    });
    expect(begun).toEqual(hundred);
    expect(most).toBe(7);
  });

  it('starts no task after a failure and throws the first error once running tasks end', async () => {
    const ended: number[] = [];
    const working = forEachParallel(hundred, 4, async (one) => {
      if (one === 1) throw new TypeError('a defect');
      await nextTurn();
      if (one === 2) throw new TypeError('another one');
      ended.push(one);
    });
    await expect(working).rejects.toThrow('a defect');
    expect(ended).toEqual([0, 3]);
  });

  it('resolves immediately for an empty list', async () => {
    let calls = 0;
    await forEachParallel([], 4, async () => {
      calls += 1;
    });
    expect(calls).toBe(0);
  });
});
