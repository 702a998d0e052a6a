import { describe, expect, it } from 'vitest';
import {
  patternsOf,
  readClock,
  readDay,
  readMoment,
  writeClock,
  writeDay,
} from './date-patterns.ts';

describe('patternsOf', () => {
  it.each([
    ['en-GB', { day: 'DD/MM/YYYY', clock: 'HH:mm' }],
    ['en-US', { day: 'MM/DD/YYYY', clock: 'h:mm A' }],
    ['de', { day: 'DD.MM.YYYY', clock: 'HH:mm' }],
  ])('follows %s without settings', (locale, patterns) => {
    expect(patternsOf(locale, {})).toEqual(patterns);
  });

  it('prefers the settings', () => {
    const settings = { dateFormat: 'YYYY-MM-DD', timeFormat: 'hh:mm a' };
    expect(patternsOf('de', settings)).toEqual({ day: 'YYYY-MM-DD', clock: 'hh:mm a' });
  });
});

describe('writing', () => {
  it.each([
    ['DD.MM.YYYY', '01.02.2030'],
    ['D/M/YYYY', '1/2/2030'],
    ['MM/DD/YYYY', '02/01/2030'],
    ['DD. MM. YYYY', '01. 02. 2030'],
  ])('a day as %s', (day, text) => {
    expect(writeDay('2030-02-01', { day })).toBe(text);
  });

  it.each([
    ['HH:mm', '14:05', '14:05'],
    ['H.mm', '09:05', '9.05'],
    ['hh:mm a', '00:05', '12:05 am'],
    ['h:mm A', '12:05', '12:05 PM'],
    ['hh:mmA', '14:05:30', '02:05:30PM'],
  ])('a time as %s', (clock, value, text) => {
    expect(writeClock(value, { clock })).toBe(text);
  });
});

describe('readDay', () => {
  const today = '2030-06-15';

  it.each([
    ['31.01.2030', 'DD.MM.YYYY', '2030-01-31'],
    ['31.1.30', 'DD.MM.YYYY', '2030-01-31'],
    ['31.1.', 'DD.MM.YYYY', '2030-01-31'],
    ['31 1', 'DD.MM.YYYY', '2030-01-31'],
    ['31012030', 'DD.MM.YYYY', '2030-01-31'],
    ['01312030', 'MM/DD/YYYY', '2030-01-31'],
    ['1/31/2030', 'MM/DD/YYYY', '2030-01-31'],
    ['31. 01. 2030', 'DD. MM. YYYY', '2030-01-31'],
    ['2030-01-31', 'DD.MM.YYYY', '2030-01-31'],
    ['2028-02-29', 'YYYY-MM-DD', '2028-02-29'],
  ])('reads %s in the order %s', (text, pattern, day) => {
    expect(readDay(text, pattern, today)).toBe(day);
  });

  it.each([
    '31.02.2030',
    '13.13.2030',
    '31.1.203',
    '31',
    'x',
    '',
    '31.1.2030 x',
    '1.2.3.4',
    '-1.1.2030',
  ])('rejects %j', (text) => {
    expect(readDay(text, 'DD.MM.YYYY', today)).toBeUndefined();
  });
});

describe('readClock', () => {
  it.each([
    ['14:05', '14:05'],
    ['1405', '14:05'],
    ['905', '09:05'],
    ['14', '14:00'],
    ['9', '09:00'],
    ['14.05', '14:05'],
    ['14:05:59', '14:05'],
    ['2:05 pm', '14:05'],
    ['2pm', '14:00'],
    ['12 AM', '00:00'],
    ['12:30 p.m.', '12:30'],
  ])('reads %s', (text, clock) => {
    expect(readClock(text)).toBe(clock);
  });

  it.each(['24:00', '14:60', '13 pm', '0 am', 'x', '', '14:5', '123456'])('rejects %j', (text) => {
    expect(readClock(text)).toBeUndefined();
  });
});

describe('readMoment', () => {
  it.each([
    ['31.01.2030 14:05', 'DD.MM.YYYY', '2030-01-31T14:05'],
    ['31.01.2030, 14:05', 'DD.MM.YYYY', '2030-01-31T14:05'],
    ['31. 01. 2030 14:05', 'DD. MM. YYYY', '2030-01-31T14:05'],
    ['31. 01. 2030 2:05 pm', 'DD. MM. YYYY', '2030-01-31T14:05'],
    ['1/31/2030 2:05 PM', 'MM/DD/YYYY', '2030-01-31T14:05'],
    ['31.1. 9', 'DD.MM.YYYY', '2030-01-31T09:00'],
    ['2030-01-31T14:05', 'DD.MM.YYYY', '2030-01-31T14:05'],
    ['2030-01-31 14:05', 'DD.MM.YYYY', '2030-01-31T14:05'],
  ])('reads %s in the order %s', (text, pattern, moment) => {
    expect(readMoment(text, pattern, '2030-06-15')).toBe(moment);
  });

  it.each(['31.01.2030', '14:05', '31.01.2030 25:00', ''])('rejects %j', (text) => {
    expect(readMoment(text, 'DD.MM.YYYY', '2030-06-15')).toBeUndefined();
  });
});
