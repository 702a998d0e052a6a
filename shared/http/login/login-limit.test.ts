import { describe, expect, it } from 'vitest';
import { createLoginLimit } from './login-limit.ts';

describe('the limit on failed logins', () => {
  it('is exceeded by one more failure within a minute of the first failure', () => {
    let now = 0;
    const limit = createLoginLimit({ maxFailures: 2, windowMs: 60_000, now: () => now });
    for (now = 0; now < 3_000; now += 1_000) {
      expect(limit.isExceeded('a')).toBe(false);
      limit.recordFailure('a');
    }
    expect(limit.isExceeded('a')).toBe(true);
    expect(limit.isExceeded('b')).toBe(false);
    now = 59_999;
    expect(limit.isExceeded('a')).toBe(true);
    now = 60_000;
    expect(limit.isExceeded('a')).toBe(false);
    limit.recordFailure('a');
    expect(limit.isExceeded('a')).toBe(true);
    now = 61_000;
    expect(limit.isExceeded('a')).toBe(false);
  });

  it('drops the oldest address when there are too many addresses', () => {
    const limit = createLoginLimit({ maxFailures: 0, windowMs: 60_000, now: () => 0 });
    for (let address = 0; address <= 10_000; address += 1) limit.recordFailure(`${address}`);
    expect(limit.isExceeded('0')).toBe(false);
    expect(limit.isExceeded('1')).toBe(true);
    expect(limit.isExceeded('10000')).toBe(true);
  });
});
