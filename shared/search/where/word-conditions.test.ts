import { describe, expect, it } from 'vitest';
import { readInput } from './word-conditions.ts';

describe('a search text', () => {
  it.each([
    ['anna 0171 1004999', 'anna', ['0171 1004999']],
    ['+49 (171) 100-4999', '', ['+49 (171) 100-4999']],
    ['(0171) 100, ray', ', ray', ['(0171) 100']],
    ['0171 100 ray 030/123', 'ray', ['0171 100', '030/123']],
    ['2 Müller', '2 Müller', []],
    ['12', '12', []],
    ['Room 1.5', 'Room 1.5', []],
    ['Room 1.55', 'Room', ['1.55']],
    ['Lastname1234', 'Lastname1234', []],
    ['1234abc', '1234abc', []],
    ['contact.123@customer.example', 'contact.123@customer.example', []],
    ['2030-01-31', '', ['2030-01-31']],
    ['+', '+', []],
    ['', '', []],
  ])('is separated into words and numbers: %j', (text, rest, numbers) => {
    expect(readInput(text)).toEqual({ rest, numbers });
  });

  it('is separated in linear time', () => {
    const startedAt = performance.now();
    for (const part of ['1 ', '( ', '+', '1-', ' (1)', '+(']) readInput(part.repeat(120));
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
