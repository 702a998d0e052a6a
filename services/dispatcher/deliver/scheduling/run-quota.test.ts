import { describe, expect, it } from 'vitest';
import { RunQuota } from './run-quota.ts';

const takeAll = (quota: RunQuota, isRetry = false) => {
  let taken = 0;
  while (taken < 100 && quota.take(isRetry ? 'retry' : 'first')) taken += 1;
  return taken;
};

describe('the requests of a run', () => {
  it('are limited per run regardless of the previous run', () => {
    const quota = new RunQuota(20);
    expect([takeAll(quota), takeAll(quota, true)]).toEqual([0, 0]);
    quota.startRun();
    expect(quota.take('first')).toBe(true);
    quota.startRun();
    expect(takeAll(quota)).toBe(20);
    expect(quota.has('first')).toBe(false);
  });

  it('are unlimited when the limit is 0', () => {
    expect([takeAll(new RunQuota(0)), takeAll(new RunQuota(0), true)]).toEqual([100, 100]);
  });

  it('are borrowed from the next run by retries if new batches use them up', () => {
    const quota = new RunQuota(20);
    quota.startRun();
    expect([takeAll(quota), takeAll(quota, true)]).toEqual([20, 10]);
    quota.startRun();
    expect([takeAll(quota), takeAll(quota, true)]).toEqual([10, 10]);
    quota.startRun();
    expect(takeAll(quota, true)).toBe(20);
  });

  it('average the configured number per run', () => {
    const quota = new RunQuota(7);
    let taken = 0;
    for (let run = 0; run < 100; run += 1) {
      quota.startRun();
      taken += takeAll(quota, true);
    }
    expect(taken).toBe(700 + 3);
  });

  it('do not include tests', () => {
    const quota = new RunQuota(1);
    expect(quota.take('test')).toBe(true);
    quota.startRun();
    expect(quota.take('test')).toBe(true);
    expect(takeAll(quota)).toBe(1);
  });
});
