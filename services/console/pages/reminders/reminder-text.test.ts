import { expect, it } from 'vitest';
import { formatOf } from '../../language/format.ts';
import { reminderText } from './reminder-text.ts';

const now = new Date('2030-01-31T10:00:00Z');

function textOf(attributes: Record<string, string | null>, language = 'en'): string {
  const data = {
    id: 'm1',
    entityType: 'Meeting',
    name: 'M',
    dateField: 'dateStart' as const,
    attributes,
  };
  const format = formatOf(language, {
    timeZone: 'UTC',
    dateFormat: 'DD.MM.YYYY',
    timeFormat: 'HH:mm',
  });
  return reminderText({ id: 'r', data }, { format, language, now });
}

it.each([
  ['2030-01-31 10:09:30', 'in 10 minutes, 31.01.2030, 10:09'],
  ['2030-01-31 11:00:00', 'in 1 hour, 31.01.2030, 11:00'],
  ['2030-02-01 10:00:00', 'tomorrow, 01.02.2030, 10:00'],
  ['2030-01-31 09:55:00', '5 minutes ago, 31.01.2030, 09:55'],
  ['2030-01-31 10:00:00', 'this minute, 31.01.2030, 10:00'],
])('writes the distance to %s', (dateStart, text) => {
  expect(textOf({ dateStart, dateStartDate: null })).toBe(text);
});

it('writes the day of an all-day activity, and the language of the user', () => {
  expect(textOf({ dateStart: null, dateStartDate: '2030-02-01' })).toBe('01.02.2030');
  expect(textOf({ dateStart: '2030-01-31 10:05:00', dateStartDate: null }, 'de')).toBe(
    'in 5 Minuten, 31.01.2030, 10:05',
  );
});
