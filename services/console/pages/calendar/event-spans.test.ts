import { describe, expect, it } from 'vitest';
import type { Field } from '../../api/metadata.ts';
import {
  lengthened,
  newSpanIn,
  newValuesAt,
  onlyTimeOf,
  shifted,
  spanOf,
  valuesAt,
} from './event-spans.ts';
import { zoneClock } from './zone-clock.ts';

const clock = zoneClock('Europe/Berlin');
const entityOf = (fields: Readonly<Record<string, Field>>) => ({ fields });
const optional = { type: 'datetimeOptional' };
const meeting = entityOf({
  dateStart: optional,
  dateEnd: optional,
  isAllDay: { type: 'bool' },
  duration: { type: 'duration', default: 3600 },
});
const call = entityOf({
  dateStart: { type: 'datetime' },
  dateEnd: { type: 'datetime' },
  duration: { type: 'duration', default: 300 },
});
const task = entityOf({ dateStart: optional, dateEnd: optional });

describe('the place of a record in the calendar', () => {
  it('is in the time zone of the calendar', () => {
    const times = { dateStart: '2030-01-31 23:30:00', dateEnd: '2030-02-01 00:30:00' };
    const span = { isAllDay: false, start: '2030-02-01T00:30:00', end: '2030-02-01T01:30:00' };
    expect(spanOf(times, clock)).toEqual(span);
    expect(valuesAt(span, { entity: call, clock })).toEqual(times);
  });

  it('ends after the last of its whole days, which do not depend on the time zone', () => {
    const times = { dateStartDate: '2030-01-31', dateEndDate: '2030-02-01' };
    const span = { isAllDay: true, start: '2030-01-31', end: '2030-02-02' };
    expect(spanOf(times, clock)).toEqual(span);
    expect(valuesAt(span, { entity: meeting, clock })).toEqual({
      ...times,
      dateStart: null,
      dateEnd: null,
      isAllDay: true,
    });
    expect(spanOf({ dateStartDate: '2030-01-31' }, clock)).toMatchObject({ end: '2030-02-01' });
  });

  it('is the due time or the due day of a task without a start, which it keeps being', () => {
    const timed = { dateStart: null, dateEnd: '2030-01-31 09:00:00', dateEndDate: null };
    const span = { isAllDay: false, start: '2030-01-31T10:00:00', end: null };
    expect(spanOf(timed, clock)).toEqual(span);
    const only = onlyTimeOf(timed);
    expect(only).toBe('dateEnd');
    expect(valuesAt(span, { entity: task, clock, only })).toEqual({
      dateEnd: '2030-01-31 09:00:00',
      dateEndDate: null,
    });
    const day = { isAllDay: true, start: '2030-02-03', end: '2030-02-04' };
    expect(spanOf({ dateEndDate: '2030-02-03' }, clock)).toEqual(day);
    expect(valuesAt(day, { entity: task, clock, only })).toEqual({
      dateEnd: null,
      dateEndDate: '2030-02-03',
    });
  });

  it('includes the whole day on the side that has no time', () => {
    expect(spanOf({ dateStart: '2030-01-31 09:00:00', dateEndDate: '2030-02-01' }, clock)).toEqual({
      isAllDay: false,
      start: '2030-01-31T10:00:00',
      end: '2030-02-02T00:00:00',
    });
    expect(onlyTimeOf({ dateStart: '2030-01-31 09:00:00', dateEndDate: '2030-02-01' })).toBe(
      undefined,
    );
  });

  it('does not exist for a record without a time', () => {
    expect(spanOf({ dateStart: null, dateEndDate: null }, clock)).toBeUndefined();
  });

  it('has no end that is not later than the start', () => {
    const moment = { dateStart: '2030-01-31 09:00:00', dateEnd: '2030-01-31 09:00:00' };
    expect(spanOf(moment, clock)).toMatchObject({ end: null });
    // Clocks are set back between these times.
    const autumn = { dateStart: '2030-10-27 00:30:00', dateEnd: '2030-10-27 01:15:00' };
    expect(spanOf(autumn, clock)).toMatchObject({ start: '2030-10-27T02:30:00', end: null });
  });
});

describe('a moved record', () => {
  it('keeps its local time of day when clocks change, so its time in UTC differs', () => {
    const saturday = { isAllDay: false, start: '2030-03-30T10:00:00', end: '2030-03-30T11:00:00' };
    expect(valuesAt(saturday, { entity: call, clock })).toMatchObject({
      dateStart: '2030-03-30 09:00:00',
    });
    expect(valuesAt(shifted(saturday, { days: 1 }), { entity: call, clock })).toEqual({
      dateStart: '2030-03-31 08:00:00',
      dateEnd: '2030-03-31 09:00:00',
    });
  });

  it('can move by minutes across midnight, and by days', () => {
    const span = { isAllDay: false, start: '2030-01-31T23:50:00', end: '2030-02-01T00:20:00' };
    expect(shifted(span, { minutes: 15 })).toMatchObject({
      start: '2030-02-01T00:05:00',
      end: '2030-02-01T00:35:00',
    });
    const days = { isAllDay: true, start: '2030-02-28', end: '2030-03-01' };
    expect(shifted(days, { days: -1 })).toEqual({
      isAllDay: true,
      start: '2030-02-27',
      end: '2030-02-28',
    });
  });

  it('can become longer and shorter, but always has a length', () => {
    const span = { isAllDay: false, start: '2030-01-31T10:00:00', end: '2030-01-31T10:30:00' };
    expect(lengthened(span, { minutes: 15 })?.end).toBe('2030-01-31T10:45:00');
    expect(lengthened(span, { minutes: -15 })?.end).toBe('2030-01-31T10:15:00');
    expect(lengthened(span, { minutes: -30 })).toBeUndefined();
    expect(lengthened({ ...span, end: null }, { minutes: 15 })).toBeUndefined();
  });

  it('that becomes one with times gets the usual duration of its type', () => {
    const span = { isAllDay: false, start: '2030-01-31T10:00:00', end: null };
    expect(valuesAt(span, { entity: meeting, clock })).toEqual({
      dateStart: '2030-01-31 09:00:00',
      dateStartDate: null,
      dateEnd: '2030-01-31 10:00:00',
      dateEndDate: null,
      isAllDay: false,
    });
  });
});

describe('a new record', () => {
  it('lasts whole days if its type can, and otherwise begins in the morning', () => {
    const days = { isAllDay: true, start: '2030-01-31', end: '2030-02-02' };
    expect(newValuesAt(days, { entity: task, clock })).toEqual({
      dateStart: null,
      dateStartDate: '2030-01-31',
      dateEnd: null,
      dateEndDate: '2030-02-01',
    });
    expect(newValuesAt(days, { entity: call, clock })).toEqual({
      dateStart: '2030-01-31 08:00:00',
      dateEnd: '2030-01-31 08:05:00',
    });
  });

  it('begins with the next half hour, or in the morning of another period', () => {
    const start = (now: string, period?: Parameters<typeof newSpanIn>[0]) =>
      newSpanIn(period, now).start;
    const week = { date: '2030-02-05', start: '2030-02-03', end: '2030-02-10' };
    expect(start('2030-01-31T23:29:59')).toBe('2030-01-31T23:30:00');
    expect(start('2030-01-31T23:30:00')).toBe('2030-02-01T00:00:00');
    expect(start('2030-02-03T10:10:00', week)).toBe('2030-02-03T10:30:00');
    expect(start('2030-02-10T10:10:00', week)).toBe('2030-02-05T09:00:00');
  });
});
