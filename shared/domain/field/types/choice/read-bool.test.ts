import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../test/support/builders/outcome-of-reading.ts';
import { readBool } from './read-bool.ts';

const rule = { field: 'doNotCall', attribute: 'doNotCall' };

describe('readBool', () => {
  it.each([[true], [1], ['1'], ['true'], ['True'], [' TRUE ']])('returns true for %j', (given) => {
    expect(outcomeOf((report) => readBool(rule, given, report))).toEqual({ kept: true });
  });

  it.each([[false], [0], ['0'], ['false'], ['False'], [''], [null]])(
    'returns false for %j',
    (given) => {
      expect(outcomeOf((report) => readBool(rule, given, report))).toEqual({ kept: false });
    },
  );

  it.each([['maybe'], ['yes'], [2], [Number.NaN], [[]], [[true]], [{}]])('rejects %j', (given) => {
    expect(outcomeOf((report) => readBool(rule, given, report))).toEqual({ refused: ['valid'] });
  });
});
