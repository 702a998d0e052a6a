import { describe, expect, it } from 'vitest';
import { readAsOf } from './read-as-of.ts';

const toText = (time: number | undefined) =>
  time === undefined ? undefined : new Date(time).toISOString();

describe('the time in asOf', () => {
  it('is undefined if the query has no asOf', () => {
    expect(readAsOf({ select: 'name', asof: 'x' })).toBeUndefined();
  });

  it.each([
    ['2030-01-02T03:04:05.678Z', '2030-01-02T03:04:05.678Z'],
    ['2030-01-02T03:04:05.6Z', '2030-01-02T03:04:05.600Z'],
    ['2030-01-02T03:04:05.678999+02:00', '2030-01-02T01:04:05.678Z'],
    ['2030-01-02 03:04:05.001', '2030-01-02T03:04:05.001Z'],
    ['2024-02-29T23:30:00.000-0130', '2024-03-01T01:00:00.000Z'],
  ])('is read from %s', (text, time) => {
    expect(toText(readAsOf({ asOf: text }))).toBe(time);
  });

  it.each([
    ['2030-01-02 03:04:05', '2030-01-02T03:04:05.999Z'],
    ['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.999Z'],
    ['2030-01-02T03:04-01', '2030-01-02T04:04:00.999Z'],
    ['2030-01-02', '2030-01-02T00:00:00.999Z'],
  ])('is the end of the second if %s has no fraction', (text, time) => {
    expect(toText(readAsOf({ asOf: text }))).toBe(time);
  });

  it('is read even if the plus sign of an offset was not encoded', () => {
    expect(toText(readAsOf({ asOf: '2030-01-02T03:04:05.000 02:00' }))).toBe(
      '2030-01-02T01:04:05.000Z',
    );
  });

  it.each([
    { asOf: '' },
    { asOf: ' ' },
    { asOf: 'yesterday' },
    { asOf: '2030-02-30 00:00:00' },
    { asOf: '2030-02-30' },
    { asOf: '2030-01-02T03:04:05' },
    { asOf: '1893553445000' },
    { asOf: '2030-01-02 24:00:00' },
    { asOf: `2030-01-02 03:04:05${' '.repeat(100_000)}x` },
    { asOf: ['2030-01-02 03:04:05', '2030-01-02 03:04:05'] },
    { asOf: '2030-01-02 03:04:05', 'asOf[]': '2030-01-02 03:04:05' },
    { 'asOf[]': '2030-01-02 03:04:05' },
  ])('is rejected with an error that names the parameter: %.60j', (query) => {
    expect(() => readAsOf(query)).toThrow(
      expect.objectContaining({
        code: 'parameter.invalid',
        message: expect.stringMatching(/asOf/),
      }),
    );
  });
});
