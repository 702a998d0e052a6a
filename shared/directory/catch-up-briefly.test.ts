import { describe, expect, it } from 'vitest';
import { catchUpBriefly } from './catch-up-briefly.ts';

function slowly() {
  const ends: (() => void)[] = [];
  const catchUp = catchUpBriefly(
    () =>
      new Promise((resolve) => {
        ends.push(resolve);
      }),
  );
  return { catchUp, ends };
}

describe('catchUpBriefly', () => {
  it('lets callers that arrive during a run share the next run', async () => {
    const { catchUp, ends } = slowly();
    const first = catchUp();
    const others = [catchUp(), catchUp(), catchUp()];
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await first;
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await Promise.all(others);
    expect(ends).toHaveLength(2);
    const later = catchUp();
    expect(ends).toHaveLength(3);
    ends[2]?.();
    await later;
  });

  it('never rejects and stops waiting after one second', async () => {
    const failing = catchUpBriefly(() => Promise.reject(new Error('unreachable')));
    await expect(failing()).resolves.toBeUndefined();
    const { catchUp, ends } = slowly();
    const start = performance.now();
    await catchUp();
    expect(ends).toHaveLength(1);
    // Timers may fire a millisecond early.
    expect(performance.now() - start).toBeGreaterThan(990);
  });
});
