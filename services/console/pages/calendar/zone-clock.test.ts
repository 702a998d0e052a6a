import { describe, expect, it } from 'vitest';
import { dayOf, zoneClock } from './zone-clock.ts';

const berlin = zoneClock('Europe/Berlin');
const toUtc = (wall: string): string => berlin.toMoment(wall).toISOString().slice(0, 16);

describe('a clock of a time zone', () => {
  it.each([
    ['2030-01-31T10:00:00', '2030-01-31T09:00'],
    ['2030-07-31T10:00:00', '2030-07-31T08:00'],
    ['2030-03-30T23:30:00', '2030-03-30T22:30'],
    ['2030-03-31T04:00:00', '2030-03-31T02:00'],
    ['2030-10-27T01:59:59', '2030-10-26T23:59'],
    ['2030-10-27T03:00:00', '2030-10-27T02:00'],
  ])('converts %s in both directions', (wall, utc) => {
    expect(toUtc(wall)).toBe(utc);
    expect(berlin.toWall(berlin.toMoment(wall))).toBe(wall);
  });

  it('moves a time that is skipped in spring by the skipped hour', () => {
    expect(toUtc('2030-03-31T02:30:00')).toBe('2030-03-31T01:30');
    expect(berlin.toWall(new Date('2030-03-31T01:30:00Z'))).toBe('2030-03-31T03:30:00');
  });

  it('takes the first of two equal times in autumn', () => {
    expect(toUtc('2030-10-27T02:30:00')).toBe('2030-10-27T00:30');
    expect(berlin.toWall(new Date('2030-10-27T01:30:00Z'))).toBe('2030-10-27T02:30:00');
  });

  it('supports zones far from UTC and offsets of part of an hour', () => {
    expect(zoneClock('Pacific/Kiritimati').toWall(new Date('2030-01-31T12:00:00Z'))).toBe(
      '2030-02-01T02:00:00',
    );
    const kathmandu = zoneClock('Asia/Kathmandu');
    expect(kathmandu.toMoment('2030-01-31T00:00:00').toISOString()).toBe(
      '2030-01-30T18:15:00.000Z',
    );
  });

  it('accepts a day, which begins at midnight', () => {
    expect(toUtc('2030-01-31')).toBe('2030-01-30T23:00');
  });

  it('rejects an unknown time zone', () => {
    expect(() => zoneClock('Europe/Atlantis')).toThrow(RangeError);
  });
});

describe('dayOf', () => {
  it('returns a later or an earlier day, across the ends of months', () => {
    expect(dayOf('2030-01-31T10:00:00')).toBe('2030-01-31');
    expect(dayOf('2030-01-31', 1)).toBe('2030-02-01');
    expect(dayOf('2030-03-01', -1)).toBe('2030-02-28');
  });
});
