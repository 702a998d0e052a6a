import { describe, expect, it } from 'vitest';
import { agendaDays, calendarReaders, dateInPeriod, readPreferences } from './calendar-state.ts';

describe('the next and the previous period', () => {
  it('of a month begin on its first day, because other months may not have the same day', () => {
    expect(dateInPeriod('2030-01-31', 'month', 1)).toBe('2030-02-01');
    expect(dateInPeriod('2030-01-31', 'month', -1)).toBe('2029-12-01');
  });

  it('are the length of the view away in other views', () => {
    expect(dateInPeriod('2030-03-29', 'week', 1)).toBe('2030-04-05');
    expect(dateInPeriod('2030-03-01', 'day', -1)).toBe('2030-02-28');
    expect(dateInPeriod('2030-01-01', 'agenda', 1)).toBe('2030-01-31');
    expect(agendaDays).toBe(30);
  });
});

describe('the state in the address', () => {
  it('accepts known views and real days', () => {
    expect(calendarReaders.view('week')).toBe('week');
    expect(calendarReaders.view('year')).toBeUndefined();
    expect(calendarReaders.date('2030-02-28')).toBe('2030-02-28');
    for (const wrong of ['2030-02-30', '0203-01-01', '2030-1-1', 20300101, null]) {
      expect(calendarReaders.date(wrong)).toBeUndefined();
    }
  });
});

describe('readPreferences', () => {
  it('returns valid parts and ignores others', () => {
    const stored = { view: 'day', narrowView: 3, userIds: ['a', '', 5, 'a'], hiddenTypes: 'Call' };
    expect(readPreferences(stored)).toEqual({
      view: 'day',
      narrowView: undefined,
      userIds: ['a'],
      hiddenTypes: [],
    });
    expect(readPreferences(undefined)).toEqual({ hiddenTypes: [] });
    expect(readPreferences({ userIds: [] }).userIds).toBeUndefined();
  });
});
