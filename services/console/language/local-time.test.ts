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

describe('local times of another time zone', () => {
  it.each([
    ['America/New_York', '2030-01-31T10:00', '2030-01-31 15:00:00'],
    ['America/New_York', '2030-07-31T10:00', '2030-07-31 14:00:00'],
    ['Asia/Kathmandu', '2030-01-31T10:00', '2030-01-31 04:15:00'],
    ['Pacific/Auckland', '2030-01-31T10:00', '2030-01-30 21:00:00'],
    ['UTC', '2030-01-31T00:00', '2030-01-31 00:00:00'],
  ])('in %s convert %s to %s and back without a change', (zone, local, time) => {
    expect(toUtc(local, zone)).toBe(time);
    expect(toLocal(time, zone)).toBe(`${local}:00`);
  });

  it.each([
    // Clocks in Berlin skip the hour from 2:00 on 31 March 2030 and repeat it on 27 October 2030.
    ['2030-03-31T01:59', '2030-03-31 00:59:00'],
    ['2030-03-31T02:30', '2030-03-31 01:30:00'],
    ['2030-03-31T03:00', '2030-03-31 01:00:00'],
    ['2030-10-27T01:59', '2030-10-26 23:59:00'],
    ['2030-10-27T02:30', '2030-10-27 00:30:00'],
    ['2030-10-27T03:00', '2030-10-27 02:00:00'],
  ])('read %s around a change of clocks as the browser does', (local, time) => {
    expect(toUtc(local, 'Europe/Berlin')).toBe(time);
    expect(toUtc(local)).toBe(time);
  });

  it('use the day of the time zone', () => {
    expect(localDay(new Date('2030-01-31T23:30:00Z'), 'UTC')).toBe('2030-01-31');
    expect(localDay(new Date('2030-01-31T23:30:00Z'), 'Asia/Tokyo')).toBe('2030-02-01');
    expect(toUtc('never', 'UTC')).toBeNull();
    expect(toUtc('', 'UTC')).toBeNull();
  });
});
