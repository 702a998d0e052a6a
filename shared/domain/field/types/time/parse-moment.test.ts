import { expect, it } from 'vitest';
import { parseMoment } from './parse-moment.ts';

const read = (text: string, isOfThisHost = false): string | undefined => {
  const found = parseMoment(text, { isOfThisHost });
  return found === undefined ? undefined : new Date(found.at).toISOString();
};

it.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:30.5+01:00', '2026-01-31T11:00:30.500Z'],
  ['2026-01-31T12:00:30.123456Z', '2026-01-31T12:00:30.123Z'],
  ['2026-01-31 12:00', '2026-01-31T12:00:00.000Z'],
  [' 2026-01-31 12:00:30 ', '2026-01-31T12:00:30.000Z'],
])('reads %j as %s from clients and on this host', (text, time) => {
  expect([read(text), read(text, true)]).toEqual([time, time]);
});

it('accepts a time without a zone only on this host', () => {
  expect(read('2026-01-31T12:00:30.25')).toBeUndefined();
  const local = new Date(2026, 0, 31, 12, 0, 30, 250).toISOString();
  expect(read('2026-01-31T12:00:30.25', true)).toBe(local);
});

it('reports whether the time has a fraction of a second', () => {
  const has = (text: string) => parseMoment(text, { isOfThisHost: false })?.hasFraction;
  expect(['2026-01-31', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00.0Z'].map(has)).toEqual([
    false,
    false,
    true,
  ]);
});

it.each([
  '',
  'yesterday',
  'Sale 5',
  '2026-02-31',
  '2026-02-31T12:00Z',
  '31.01.2026',
  '2026',
  '2026-01-31T24:00Z',
])('rejects the time %j', (text) => {
  expect([read(text), read(text, true)]).toEqual([undefined, undefined]);
});
