import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  asTimes,
  asWholeDays,
  isEvent,
  newEventTimes,
  nextHalfHour,
  partsOfDuration,
  secondsBetween,
  timesBefore,
  timesIn,
  withDuration,
  withFirstDay,
  withStart,
} from './event-times.ts';

const field = (type: string, more = {}) => ({ type, ...more });
const meeting = {
  fields: {
    dateStart: field('datetimeOptional'),
    dateEnd: field('datetimeOptional'),
    duration: field('duration', { default: 1800 }),
  },
};

beforeEach(() => {
  vi.stubEnv('TZ', 'Europe/Berlin');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the times of a new event', () => {
  it.each([
    ['2030-01-31T10:00:00Z', '2030-01-31T10:30:00.000Z'],
    ['2030-01-31T10:29:59.999Z', '2030-01-31T10:30:00.000Z'],
    ['2030-01-31T10:30:00Z', '2030-01-31T11:00:00.000Z'],
    ['2030-01-31T22:45:10Z', '2030-01-31T23:00:00.000Z'],
    // The clock jumps from 2:00 to 3:00, and back from 3:00 to 2:00.
    ['2030-03-31T00:50:00Z', '2030-03-31T01:00:00.000Z'],
    ['2030-10-27T00:50:00Z', '2030-10-27T01:00:00.000Z'],
  ])('begin after %s at %s', (now, expected) => {
    expect(nextHalfHour(new Date(now)).toISOString()).toBe(expected);
  });

  it('begin on the local half hour in zones with a quarter-hour offset', () => {
    vi.stubEnv('TZ', 'Asia/Kathmandu');
    expect(nextHalfHour(new Date('2030-01-31T10:00:00Z')).toISOString()).toBe(
      '2030-01-31T10:15:00.000Z',
    );
  });

  it('last for the default duration of the type', () => {
    expect(newEventTimes(meeting, new Date('2030-01-31T10:10:00Z'))).toEqual({
      dateStart: '2030-01-31 10:30:00',
      dateEnd: '2030-01-31 11:00:00',
    });
  });

  it('are empty for types without a duration', () => {
    const task = { fields: { dateStart: field('datetimeOptional'), dateEnd: field('date') } };
    expect(isEvent(task)).toBe(false);
    expect(newEventTimes(task, new Date())).toEqual({});
  });
});

describe('changing the times of an event', () => {
  const values = { dateStart: '2030-01-31 10:00:00', dateEnd: '2030-01-31 11:30:00' };

  it('moves the end with the start', () => {
    expect(withStart(values, '2030-02-01 08:00:00', 3600)).toEqual({
      dateStart: '2030-02-01 08:00:00',
      dateEnd: '2030-02-01 09:30:00',
    });
    expect(withStart({}, '2030-02-01 08:00:00', 3600)).toEqual({
      dateStart: '2030-02-01 08:00:00',
      dateEnd: '2030-02-01 09:00:00',
    });
    expect(withStart(values, null, 3600)).toEqual({ dateStart: null });
  });

  it('moves the end with the duration', () => {
    expect(secondsBetween(values)).toBe(5400);
    expect(withDuration(values, 900)).toEqual({
      dateStart: '2030-01-31 10:00:00',
      dateEnd: '2030-01-31 10:15:00',
    });
    expect(secondsBetween({ ...values, dateEnd: '2030-01-31 09:00:00' })).toBeUndefined();
  });

  it('keeps the number of days when the first day changes', () => {
    const days = { dateStartDate: '2030-01-30', dateEndDate: '2030-01-31' };
    expect(secondsBetween(days)).toBe(2 * 86_400);
    expect(withFirstDay(days, '2030-02-28')).toEqual({
      dateStartDate: '2030-02-28',
      dateEndDate: '2030-03-01',
    });
  });

  it('falls back to the given duration while the start is incomplete', () => {
    const cleared = { ...values, ...withStart(values, null, 5400) };
    expect(withStart(cleared, '2030-02-01 08:00:00', 5400)).toEqual({
      dateStart: '2030-02-01 08:00:00',
      dateEnd: '2030-02-01 09:30:00',
    });
    const days = { dateStartDate: null, dateEndDate: '2030-01-31' };
    expect(withFirstDay(days, '2030-02-28', 2 * 86_400)).toEqual({
      dateStartDate: '2030-02-28',
      dateEndDate: '2030-03-01',
    });
  });

  it('restores the former times when all-day is switched on and off again', () => {
    const after = asWholeDays(values, new Date());
    const switched = { before: timesIn(values), after };
    expect(timesBefore(switched, after)).toEqual({
      ...values,
      dateStartDate: null,
      dateEndDate: null,
    });
    expect(timesBefore(switched, { ...after, dateEndDate: '2030-02-03' })).toBeUndefined();
    expect(timesBefore(undefined, {})).toBeUndefined();
  });

  it('converts times to the local days that they touch and days to the morning', () => {
    const late = { dateStart: '2030-01-31 23:30:00', dateEnd: '2030-02-01 23:00:00' };
    const now = new Date('2030-01-01T00:00:00Z');
    const days = asWholeDays(late, now);
    expect(days).toEqual({
      dateStart: null,
      dateEnd: null,
      dateStartDate: '2030-02-01',
      dateEndDate: '2030-02-01',
    });
    expect(asTimes(days, 3600, now)).toEqual({
      dateStart: '2030-02-01 08:00:00',
      dateEnd: '2030-02-01 09:00:00',
      dateStartDate: null,
      dateEndDate: null,
    });
  });
});

it('splits a duration into days, hours and minutes', () => {
  expect(partsOfDuration(5400)).toEqual({ days: 0, hours: 1, minutes: 30 });
  expect(partsOfDuration(86_400)).toEqual({ days: 1, hours: 0, minutes: 0 });
  expect(partsOfDuration(0)).toEqual({ days: 0, hours: 0, minutes: 0 });
});
