import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../outcome-of-reading.ts';
import { readBool } from './read-bool.ts';

const rule = { field: 'doNotCall', attribute: 'doNotCall' };

describe('a bool', () => {
  it.each([[true], [1], ['1'], ['true'], ['True'], [' TRUE ']])('is true for %j', (given) => {
    expect(outcomeOf((report) => readBool(rule, given, report))).toEqual({ kept: true });
  });

  it.each([[false], [0], ['0'], ['false'], ['False'], [''], [null]])('is false for %j', (given) => {
    expect(outcomeOf((report) => readBool(rule, given, report))).toEqual({ kept: false });
  });

  it.each([['maybe'], ['yes'], [2], [Number.NaN], [[]], [[true]], [{}]])('rejects %j', (given) => {
    expect(outcomeOf((report) => readBool(rule, given, report))).toEqual({ refused: ['valid'] });
  });
});
