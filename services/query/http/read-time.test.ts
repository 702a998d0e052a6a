import { describe, expect, it } from 'vitest';
import { readAsOf } from './read-time.ts';

describe('asOf', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.250+02:00', '2026-01-31T10:00:00.250Z'],
    ['2026-01-31T12:00-01:30', '2026-01-31T13:30:00.000Z'],
    ['2026-01-31 12:00:00', '2026-01-31T12:00:00.999Z'],
  ])('reads %s', (asOf, expected) => {
    expect(new Date(readAsOf({ asOf }) ?? 0).toISOString()).toBe(expected);
  });

  it('may be left out', () => {
    expect(readAsOf({})).toBeUndefined();
    expect(readAsOf({ asOf: '' })).toBeUndefined();
  });

  it.each([
    'yesterday',
    '2026-01-31',
    '2026-13-31T12:00:00Z',
    '1769860800',
    '2026-01-31T12:00:00',
    ['a', 'b'],
  ])('is refused as %j', (asOf) => {
    expect(() => readAsOf({ asOf })).toThrow(
      expect.objectContaining({ code: 'parameter.invalid' }),
    );
  });
});
