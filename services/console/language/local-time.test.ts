import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { localDay, toLocal, toUtc } from './local-time.ts';

beforeEach(() => {
  vi.stubEnv('TZ', 'Europe/Berlin');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('local times', () => {
  it.each([
    ['2030-01-31T10:00', '2030-01-31 09:00:00'],
    ['2030-07-31T10:00', '2030-07-31 08:00:00'],
    // A half-typed year, in which Berlin was 53 minutes and 28 seconds ahead of UTC.
    ['0203-01-31T10:00', '0203-01-31 09:06:32'],
  ])('convert %s to %s and back without a change', (local, time) => {
    expect(toUtc(local)).toBe(time);
    expect(toLocal(time)).toBe(`${local}:00`);
  });

  it('are empty for values that are not times', () => {
    expect(toLocal('')).toBe('');
    expect(toUtc('')).toBeNull();
    expect(toUtc('never')).toBeNull();
  });

  it('use the day of the time zone', () => {
    expect(localDay(new Date('2030-01-31T23:30:00Z'))).toBe('2030-02-01');
  });
});
