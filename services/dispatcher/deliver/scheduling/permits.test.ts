import { describe, expect, it } from 'vitest';
import { createPermits, type Permits } from './permits.ts';

const takeAll = (permits: Permits, isRetry = false) => {
  let taken = 0;
  while (taken < 100 && permits.take(isRetry)) taken += 1;
  return taken;
};

describe('permits', () => {
  it('are as many per run as configured, however many the last run left', () => {
    const permits = createPermits(20);
    expect([takeAll(permits), takeAll(permits, true)]).toEqual([0, 0]);
    permits.startRun();
    expect(permits.take(false)).toBe(true);
    permits.startRun();
    expect(takeAll(permits)).toBe(20);
    expect(permits.has(false)).toBe(false);
  });

  it('are unlimited when the limit is 0', () => {
    expect([takeAll(createPermits(0)), takeAll(createPermits(0), true)]).toEqual([100, 100]);
  });

  it('are taken from the next run by retries after new batches have taken all of them', () => {
    const permits = createPermits(20);
    permits.startRun();
    expect([takeAll(permits), takeAll(permits, true)]).toEqual([20, 10]);
    permits.startRun();
    expect([takeAll(permits), takeAll(permits, true)]).toEqual([10, 10]);
    permits.startRun();
    expect(takeAll(permits, true)).toBe(20);
  });

  it('average the configured number per run', () => {
    const permits = createPermits(7);
    let taken = 0;
    for (let run = 0; run < 100; run += 1) {
      permits.startRun();
      taken += takeAll(permits, true);
    }
    expect(taken).toBe(700 + 3);
  });

  it('are offered to a different listener first in each run', () => {
    const permits = createPermits(1);
    const taken: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      permits.onRun(() => void (permits.take(false) && taken.push(name)));
    }
    for (let run = 0; run < 4; run += 1) permits.startRun();
    expect(taken).toEqual(['a', 'b', 'c', 'a']);
  });

  it('are announced at every run to the listeners that were not removed', () => {
    const permits = createPermits(1);
    const seen: boolean[] = [];
    const stop = permits.onRun(() => seen.push(permits.take(false)));
    permits.startRun();
    permits.startRun();
    stop();
    permits.startRun();
    expect(seen).toEqual([true, true]);
  });
});
