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

describe('catching up', () => {
  it('is shared by those who come while one runs, and begins after they came', async () => {
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

  it('never fails, and ends after a second', async () => {
    const failing = catchUpBriefly(() => Promise.reject(new Error('away')));
    await expect(failing()).resolves.toBeUndefined();
    const { catchUp, ends } = slowly();
    const start = performance.now();
    await catchUp();
    expect(ends).toHaveLength(1);
    // Timers may fire a millisecond early.
    expect(performance.now() - start).toBeGreaterThan(990);
  });
});
