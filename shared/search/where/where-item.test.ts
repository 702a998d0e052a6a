import { expect, it } from 'vitest';
import { Refusal } from '../../domain/errors.ts';
import { readWhereItems } from './where-item.ts';

const zoneOf = (timeZone: string) => readWhereItems([{ type: 'today', timeZone }])[0]?.timeZone;

it.each([
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['utc', 'UTC'],
  ['+05:30', '-05:30'],
  ['-0530', '+05:30'],
])('the time zone %s is %s for Postgres', (timeZone, expected) => {
  expect(zoneOf(timeZone)).toBe(expected);
});

it.each(['Mars', 'Mars/Olympus', '+25:00', "UTC'"])('%s is no time zone', (timeZone) => {
  expect(() => zoneOf(timeZone)).toThrow(Refusal);
});
