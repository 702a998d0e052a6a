import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../outcome-of-reading.ts';
import { readBool } from './read-bool.ts';

const rule = { field: 'doNotCall', attribute: 'doNotCall' };

describe('a bool', () => {
  it.each([[true], [1], ['1'], ['true']])('is true for %j', (given) => {
    expect(outcomeOf((report) => readBool(rule, given, report))).toEqual({ kept: true });
  });

  it.each([[false], [0], [2], ['0'], ['false'], ['True'], ['yes'], [''], [null]])(
    'is false for %j',
    (given) => {
      expect(outcomeOf((report) => readBool(rule, given, report))).toEqual({ kept: false });
    },
  );

  it.each([[[]], [[true]], [{}]])('refuses %j', (given) => {
    expect(outcomeOf((report) => readBool(rule, given, report))).toEqual({ refused: ['valid'] });
  });
});
