import { describe, expect, it } from 'vitest';
import { createPermits } from './permits.ts';

const takeAll = (permits: { take(): boolean }) => {
  let taken = 0;
  while (taken < 100 && permits.take()) taken += 1;
  return taken;
};

describe('permits', () => {
  it('are as many per run as configured, whatever the last run left', () => {
    const permits = createPermits(20);
    expect(takeAll(permits)).toBe(0);
    permits.startRun();
    expect(permits.take()).toBe(true);
    permits.startRun();
    expect(takeAll(permits)).toBe(20);
  });

  it('are without limit when it is 0', () => {
    expect(takeAll(createPermits(0))).toBe(100);
  });

  it('tell of every run, when there are permits again, whoever still listens', () => {
    const permits = createPermits(1);
    const seen: boolean[] = [];
    const stop = permits.onRun(() => seen.push(permits.take()));
    permits.startRun();
    permits.startRun();
    stop();
    permits.startRun();
    expect(seen).toEqual([true, true]);
  });
});
