import { describe, expect, it } from 'vitest';
import { createLocalClock } from './date-time.ts';

const ms = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
const text = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

describe('createLocalClock', () => {
  it.each([
    ['Europe/Berlin', '2030-01-31 10:00:00', '2030-01-31 09:00:00'],
    ['Europe/Berlin', '2030-07-31 10:00:00', '2030-07-31 08:00:00'],
    ['+05:30', '2030-01-01 00:00:00', '2029-12-31 18:30:00'],
    ['-0530', '2030-01-01 00:00:00', '2030-01-01 05:30:00'],
    ['Etc/GMT+5', '2030-01-01 00:00:00', '2030-01-01 05:00:00'],
    ['Europe/Berlin', '1850-01-01 00:53:28', '1850-01-01 00:00:00'],
    // Skipped times: the clock jumps from 02:00 to 03:00.
    ['Europe/Berlin', '2030-03-31 01:59:59', '2030-03-31 00:59:59'],
    ['Europe/Berlin', '2030-03-31 02:30:00', '2030-03-31 01:30:00'],
    ['Europe/Berlin', '2030-03-31 03:00:00', '2030-03-31 01:00:00'],
    // Repeated times: the clock is set back from 03:00 to 02:00.
    ['Europe/Berlin', '2030-10-27 02:30:00', '2030-10-27 00:30:00'],
    ['Europe/Berlin', '2030-10-27 03:00:00', '2030-10-27 02:00:00'],
    ['America/New_York', '2030-11-03 01:30:00', '2030-11-03 05:30:00'],
    ['America/Havana', '2024-11-03 00:00:00', '2024-11-03 04:00:00'],
    ['Australia/Lord_Howe', '2030-04-07 01:45:00', '2030-04-06 14:45:00'],
    ['Asia/Beirut', '2024-03-31 00:00:00', '2024-03-30 22:00:00'],
    // A whole day that the islands skipped.
    ['Pacific/Apia', '2011-12-30 00:00:00', '2011-12-30 10:00:00'],
  ])('in %s, converts the local time %s to %s UTC', (timeZone, local, utc) => {
    expect(text(createLocalClock(timeZone).toUtc(ms(local)))).toBe(utc);
  });

  it.each([
    ['Europe/Berlin', '2029-12-31 23:30:00', '2030-01-01'],
    ['America/New_York', '2030-01-01 04:59:59', '2029-12-31'],
    ['Pacific/Kiritimati', '2029-12-31 10:00:00', '2030-01-01'],
    ['UTC', '1969-12-31 23:59:59', '1969-12-31'],
  ])('in %s, at %s UTC, returns the local day %s', (timeZone, utc, day) => {
    expect(text(createLocalClock(timeZone).dayAt(ms(utc)))).toBe(`${day} 00:00:00`);
  });
});
