import { describe, expect, it } from 'vitest';
import { formatOf, localeOf } from './format.ts';

describe('localeOf', () => {
  it.each([
    ['en', ['en-GB', 'en'], 'en-GB'],
    ['en', ['de-AT', 'en-AU'], 'en-AU'],
    ['de', ['en-GB'], 'de'],
    ['de', [], 'de'],
    ['en', ['eng-XX'], 'en'],
  ])('maps %s and the browser languages %j to %s', (language, preferred, locale) => {
    expect(localeOf(language, preferred)).toBe(locale);
  });
});

describe('formatOf', () => {
  const now = new Date('2030-06-15T12:00:00Z');
  const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);

  it('writes days in the order of the locale', () => {
    expect(formatOf('en-GB').day('2030-01-31')).toBe('31 Jan 2030');
    expect(formatOf('en-US').day('2030-01-31')).toBe('Jan 31, 2030');
    expect(formatOf('de').day('2030-01-31')).toBe('31.01.2030');
  });

  it('omits seconds except in the exact time', () => {
    const time = new Date('2030-01-31T10:20:45Z');
    expect(formatOf('en-GB').time(time)).not.toContain(':45');
    expect(formatOf('en-GB').exactTime(time)).toContain(':45');
  });

  it.each([
    ['en', 0, 'now'],
    ['en', -30, 'now'],
    ['en', 59, 'now'],
    ['en', 60, '1 minute ago'],
    ['en', 7_300, '2 hours ago'],
    ['en', 86_400, 'yesterday'],
    ['en', 6 * 86_400, '6 days ago'],
    ['de', 300, 'vor 5 Minuten'],
    ['de', 90_000, 'gestern'],
  ])('formats relative times in %s: %i seconds ago is %s', (language, seconds, text) => {
    expect(formatOf(language).age(secondsAgo(seconds), now)).toBe(text);
  });

  it('writes the date for times in the future or more than a week ago', () => {
    const { age, time } = formatOf('en-GB');
    for (const seconds of [7 * 86_400, 400 * 86_400, -3_600]) {
      expect(age(secondsAgo(seconds), now)).toBe(time(secondsAgo(seconds)));
    }
  });

  it.each([
    ['en-US', 1_200, undefined, '$1,200.00'],
    ['en-US', 1_200, 'short', '$1,200'],
    ['en-US', 1_200.5, 'short', '$1,200.50'],
    ['en-US', 1_234_567, 'compact', '$1.2M'],
    ['en-US', 150, 'compact', '$150'],
    ['de', 1_200, 'short', '1.200\u00A0$'],
    ['de', 1_234_567, 'compact', '1,2\u00A0Mio.\u00A0$'],
  ] as const)('writes amounts in %s: %d, %s, is %s', (language, amount, style, text) => {
    expect(formatOf(language).money(amount, 'USD', style)).toBe(text);
  });

  it('writes days and times in the formats and the time zone of the settings', () => {
    const format = formatOf('en-US', {
      dateFormat: 'DD.MM.YYYY',
      timeFormat: 'HH:mm',
      timeZone: 'America/New_York',
    });
    const time = new Date('2030-02-01T02:05:30Z');
    expect(format.day('2030-02-01')).toBe('01.02.2030');
    expect(format.time(time)).toBe('31.01.2030, 21:05');
    expect(format.clock(time)).toBe('21:05');
    expect(format.timeWithSeconds(time)).toBe('31.01.2030, 21:05:30');
    expect(format.exactTime(time)).toContain('9:05:30');
    expect(format.day('never')).toBe('never');
  });

  it.each([
    ['before clocks are set forward', '2030-03-31T00:59:00Z', '01:59'],
    ['after clocks are set forward', '2030-03-31T01:00:00Z', '03:00'],
    ['before clocks are set back', '2030-10-27T00:59:00Z', '02:59'],
    ['after clocks are set back', '2030-10-27T01:00:00Z', '02:00'],
  ])('follows summer time %s', (_, time, clock) => {
    const format = formatOf('de', { timeZone: 'Europe/Berlin' });
    expect(format.time(new Date(time))).toMatch(new RegExp(`, ${clock}$`));
  });
});
