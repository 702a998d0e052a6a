import { describe, expect, it } from 'vitest';
import { Refusal } from '../../domain/errors.ts';
import { createBinder } from './binder.ts';
import { dateCondition } from './date-conditions.ts';
import { valueCondition } from './value-conditions.ts';
import { readWhereItems } from './where-item.ts';

const now = Date.parse('2030-10-27T00:30:00Z');

/** Returns the values with which a condition on a time or date compares the column. */
function boundValues(item: object, kind: 'date' | 'datetime' = 'datetime') {
  const [read] = readWhereItems([{ attribute: 'modifiedAt', dateTime: true, ...item }]);
  if (read === undefined) throw new Error('no item');
  const binder = createBinder();
  const attribute = 'modifiedAt';
  const dates = { binder, now, timeZone: 'UTC', fiscalYearShift: 0, column: 'c', kind, attribute };
  const value = { expression: 'c', kind, attribute, binder };
  const condition = dateCondition(read, dates) ?? valueCondition(read, value);
  expect(condition).toBeDefined();
  return binder.values;
}

const berlin = 'Europe/Berlin';
const local = '2030-06-01 12:00:00';
const utc = '2030-06-01 10:00:00';

describe('a condition with a time zone', () => {
  it.each([
    'after',
    'before',
    'on',
    'notOn',
    'equals',
    'notEquals',
    'greaterThan',
    'lessThan',
    'greaterThanOrEquals',
    'lessThanOrEquals',
  ])('converts the local time of %s to UTC', (type) => {
    expect(boundValues({ type, value: local, timeZone: berlin })).toEqual([utc]);
  });

  it('converts each local time in a list to UTC', () => {
    const value = [local, '2030-12-01 12:00'];
    const times = [utc, '2030-12-01 11:00:00'];
    expect(boundValues({ type: 'between', value, timeZone: berlin })).toEqual(times);
    expect(boundValues({ type: 'in', value, timeZone: berlin })).toEqual([times]);
    expect(boundValues({ type: 'notIn', value, timeZone: berlin })).toEqual([times]);
  });

  it.each([
    ['2030-06-01T12:00:00', utc],
    ['2030-06-01T12:00:00Z', '2030-06-01 12:00:00'],
    ['2030-06-01T12:00:00-04:00', '2030-06-01 16:00:00'],
    ['2030-03-31 02:30:00', '2030-03-31 01:30:00'],
    ['2030-10-27 02:30:00', '2030-10-27 00:30:00'],
  ])('reads %s as %s in UTC', (value, expected) => {
    expect(boundValues({ type: 'after', value, timeZone: berlin })).toEqual([expected]);
  });

  it('compares a day from local start to local end, even across clock changes', () => {
    const day = ['2030-10-26 22:00:00', '2030-10-27 23:00:00'];
    expect(boundValues({ type: 'on', value: '2030-10-27', timeZone: berlin })).toEqual(day);
    expect(boundValues({ type: 'today', timeZone: berlin })).toEqual(day);
    expect(boundValues({ type: 'equals', value: '2030-10-27', timeZone: berlin })).toEqual([
      day[0],
    ]);
    const month = ['2030-09-30 22:00:00', '2030-10-31 23:00:00'];
    expect(boundValues({ type: 'currentMonth', timeZone: berlin })).toEqual(month);
  });

  it('starts a day that begins twice at its first start', () => {
    const item = { type: 'on', value: '2024-11-03', timeZone: 'America/Havana' };
    expect(boundValues(item)).toEqual(['2024-11-03 04:00:00', '2024-11-04 05:00:00']);
  });

  it('compares dates with the days in the time zone', () => {
    const timeZone = 'America/New_York';
    expect(boundValues({ type: 'today', timeZone }, 'date')).toEqual(['2030-10-26', '2030-10-27']);
    expect(boundValues({ type: 'after', value: '2030-01-31', timeZone }, 'date')).toEqual([
      '2030-02-01',
    ]);
  });

  it.each(['contains', 'like', 'startsWith'])('rejects %s because it compares text', (type) => {
    expect(() => boundValues({ type, value: '2030', timeZone: berlin })).toThrow(Refusal);
  });
});

describe('a condition without a time zone', () => {
  it('reads times and days as UTC', () => {
    expect(boundValues({ type: 'after', value: local })).toEqual([local]);
    expect(boundValues({ type: 'greaterThan', value: local, timeZone: '' })).toEqual([local]);
    expect(boundValues({ type: 'today' })).toEqual(['2030-10-27 00:00:00', '2030-10-28 00:00:00']);
  });

  it('supports the last day that the API can express', () => {
    expect(boundValues({ type: 'on', value: '9999-12-31' }, 'date')).toEqual([
      '9999-12-31',
      'infinity',
    ]);
  });
});
