import { expect, it } from 'vitest';
import { readTimeSettings } from './time-settings.ts';

it('settings of times are read from the preferences, without defaults and invalid values', () => {
  const chosen = {
    dateFormat: 'DD.MM.YYYY',
    timeFormat: 'HH:mm',
    weekStart: 0,
    timeZone: 'Europe/Berlin',
  };
  expect(readTimeSettings({ ...chosen, theme: 'dark' })).toEqual(chosen);
  const defaults = { dateFormat: '', timeFormat: '', weekStart: -1, timeZone: '' };
  expect(readTimeSettings(defaults)).toEqual({});
  const invalid = { dateFormat: 'DD.DD.DD', timeFormat: 5, weekStart: 9, timeZone: 'Mars/Olympus' };
  expect(readTimeSettings(invalid)).toEqual({});
  expect(readTimeSettings(undefined)).toEqual({});
});
