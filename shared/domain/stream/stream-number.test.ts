import { expect, it } from 'vitest';
import { firstIdOf, numberAt, numberOfEvent, numberOfId } from './stream-number.ts';

const now = Date.UTC(2026, 7, 21, 12, 0, 0, 123);

it('numbers increase with time, version and item', () => {
  const at = (occurredAt: number, version: number, index: number) =>
    numberOfEvent({ occurredAt, version }, index);
  const numbers = [at(now, 1, 0), at(now, 1, 1), at(now, 2, 0), at(now + 1, 3, 0)];

  expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(Number.isSafeInteger(at(Date.UTC(2089, 0, 1), 127, 500))).toBe(true);
});

it('an id gets a number within the millisecond of its creation', () => {
  // 2026-08-21 12:00:00.123 and a mid-range counter, encoded like a record id.
  const ms = now - Date.UTC(2020, 0, 1);
  const counter = 0x2345678;
  const id =
    (ms * 4 + (counter >>> 24)).toString(16).padStart(11, '0') +
    (counter & 0xffffff).toString(16).padStart(6, '0');
  const number = numberOfId(id);

  expect(id).toHaveLength(17);
  expect(number).toBe(numberAt(now) + (counter >>> 14));
  expect(firstIdOf(number) <= id).toBe(true);
  expect(firstIdOf(number + 1) > id).toBe(true);
});

it('a number is converted back to the first id with that number', () => {
  for (const number of [0, 1, 1023, 1024, numberAt(now), numberAt(now) + 4095]) {
    expect(numberOfId(firstIdOf(number))).toBe(number);
    expect(firstIdOf(number)).toHaveLength(17);
  }
});
