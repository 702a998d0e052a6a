import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMovableClock } from './movable-clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('goes on by itself, and ahead by what it was moved', () => {
  const clock = createMovableClock();
  const before = clock.now();
  vi.advanceTimersByTime(1_000);
  clock.move(60_000);
  expect(clock.now()).toBe(before + 61_000);
});

it('calls back what falls due when it is moved, once', () => {
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

it('never calls back what was cancelled', () => {
  const clock = createMovableClock();
  const callback = vi.fn();
  clock.after(1_000, callback)();
  clock.move(1_000);
  vi.runAllTimers();
  expect(callback).not.toHaveBeenCalled();
});
