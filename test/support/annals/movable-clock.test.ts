import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMovableClock } from './movable-clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("a movable clock runs like the machine's clock, plus the moved time", () => {
  const clock = createMovableClock();
  const before = clock.now();
  vi.advanceTimersByTime(1_000);
  clock.move(60_000);
  expect(clock.now()).toBe(before + 61_000);
});

it('a movable clock fires each timer once when it becomes due by a move', () => {
  const clock = createMovableClock();
  const callback = vi.fn();
  clock.after(60_000, callback);
  clock.move(59_000);
  vi.advanceTimersByTime(999);
  expect(callback).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  clock.move(60_000);
  vi.advanceTimersByTime(60_000);
  expect(callback).toHaveBeenCalledOnce();
});

it('a movable clock never fires a cancelled timer', () => {
  const clock = createMovableClock();
  const callback = vi.fn();
  clock.after(1_000, callback)();
  clock.move(1_000);
  vi.runAllTimers();
  expect(callback).not.toHaveBeenCalled();
});
