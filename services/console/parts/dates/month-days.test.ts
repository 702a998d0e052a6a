import { describe, expect, it } from 'vitest';
import { shiftDay, shiftMonth, startOfWeek, weekStartOf, weeksOf } from './month-days.ts';

describe('the days of a month', () => {
  it.each([
    ['2030-01-31', 1, '2030-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2030-12-15', 1, '2031-01-15'],
    ['2030-03-31', -1, '2030-02-28'],
    ['2030-01-15', -12, '2029-01-15'],
  ])('%s, %i months later, are %s', (day, months, result) => {
    expect(shiftMonth(day, months)).toBe(result);
  });

  it('are shifted across ends of months and years', () => {
    expect(shiftDay('2030-12-31', 1)).toBe('2031-01-01');
    expect(shiftDay('2030-03-01', -1)).toBe('2030-02-28');
  });

  it('form whole weeks from the chosen first day', () => {
    // 1 June 2030 is a Saturday.
    const monday = weeksOf('2030-06-20', 1);
    expect([monday[0]?.[0], monday.at(-1)?.at(-1), monday.length]).toEqual([
      '2030-05-27',
      '2030-06-30',
      5,
    ]);
    const sunday = weeksOf('2030-06-20', 0);
    expect([sunday[0]?.[0], sunday.at(-1)?.at(-1), sunday.length]).toEqual([
      '2030-05-26',
      '2030-07-06',
      6,
    ]);
    expect(startOfWeek('2030-06-01', 6)).toBe('2030-06-01');
  });

  it.each([
    ['en-US', 0],
    ['en-GB', 1],
    ['de', 1],
  ])('of a week in %s start with %i', (locale, first) => {
    expect(weekStartOf(locale)).toBe(first);
  });
});
