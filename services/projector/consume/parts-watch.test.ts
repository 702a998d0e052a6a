import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PartsWatch } from './parts-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function checksOf(watch: PartsWatch) {
  return watch.checks(Date.now());
}

describe('the parts of a projector', () => {
  it('hold after a pass that used them, or with nothing to do, and not before', () => {
    const watch = new PartsWatch();
    expect(checksOf(watch)).toEqual({ kafka: false, postgres: false });
    watch.standBy();
    expect(checksOf(watch)).toEqual({ kafka: true, postgres: true });
  });

  it('name the one that failed until all work again', () => {
    const watch = new PartsWatch();
    watch.succeed();
    watch.use('postgres');
    expect(watch.fail()).toBe('postgres');
    watch.use('kafka');
    expect(checksOf(watch)).toEqual({ kafka: true, postgres: false });
    watch.succeed();
    expect(checksOf(watch)).toEqual({ kafka: true, postgres: true });
  });

  it.each([
    ['kafka', 3_000],
    ['postgres', 10_000],
  ] as const)('name %s when it has not answered for %i ms', (part, limitMs) => {
    const watch = new PartsWatch();
    watch.succeed();
    watch.use(part);
    vi.advanceTimersByTime(limitMs);
    expect(checksOf(watch)[part]).toBe(true);
    vi.advanceTimersByTime(1);
    expect(checksOf(watch)[part]).toBe(false);
  });
});
