import { describe, expect, it } from 'vitest';
import { limitConcurrency } from './limit-concurrency.ts';

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
