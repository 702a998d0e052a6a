import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PartsWatch } from './parts-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function checksOf(watch: PartsWatch) {
  return watch.checks(Date.now());
}

describe('the checks of a projector', () => {
  it('pass only after a successful run or if no partitions are assigned', () => {
    const watch = new PartsWatch();
    expect(checksOf(watch)).toEqual({ kafka: false, postgres: false, readModel: false });
    watch.idle();
    expect(checksOf(watch)).toEqual({ kafka: true, postgres: true, readModel: true });
  });

  it('name the failed dependency until all dependencies work again', () => {
    const watch = new PartsWatch();
    watch.succeed();
    watch.use('postgres');
    expect(watch.fail()).toBe('postgres');
    watch.use('kafka');
    expect(checksOf(watch)).toEqual({ kafka: true, postgres: false, readModel: true });
    watch.succeed();
    expect(checksOf(watch)).toEqual({ kafka: true, postgres: true, readModel: true });
  });

  it.each([
    ['kafka', 3_000],
    ['postgres', 10_000],
    ['readModel', 3_000],
  ] as const)('name %s when it has not responded for more than %i ms', (part, limitMs) => {
    const watch = new PartsWatch();
    watch.succeed();
    watch.use(part);
    vi.advanceTimersByTime(limitMs);
    expect(checksOf(watch)[part]).toBe(true);
    vi.advanceTimersByTime(1);
    expect(checksOf(watch)[part]).toBe(false);
  });

  it('name only the tables during a rebuild and also Postgres if the rebuild fails', () => {
    const watch = new PartsWatch();
    watch.use('readModel');
    vi.advanceTimersByTime(3_600_000);
    expect(checksOf(watch)).toEqual({ kafka: true, postgres: true, readModel: false });
    expect(watch.fail()).toBe('postgres');
    expect(checksOf(watch)).toMatchObject({ postgres: false, readModel: false });
  });
});
