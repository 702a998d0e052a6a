import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../test/support/builders/outcome-of-reading.ts';
import { type ListRule, readList } from './list-settings.ts';

const rule: ListRule = {
  field: 'colours',
  attribute: 'colours',
  options: null,
  maxCount: 3,
  maxEntryLength: 6,
  pattern: /^[a-z]+$/,
};

describe('readList', () => {
  it.each([
    [null, []],
    [[], []],
    [
      ['red', ' blue '],
      ['red', 'blue'],
    ],
    [
      ['red', 'red'],
      ['red', 'red'],
    ],
  ])('reads %j as %j', (given, kept) => {
    expect(outcomeOf((report) => readList(rule, given, report))).toEqual({ kept });
  });

  it.each([
    ['red', 'array'],
    [{ 0: 'red' }, 'array'],
    [['red', 1], 'arrayOfString'],
    [[['red']], 'arrayOfString'],
    [[null], 'arrayOfString'],
    [[' '], 'noEmptyString'],
    [['crimson'], 'maxItemLength'],
    [['a\0'], 'valid'],
    [['RED'], 'pattern'],
    [['a', 'b', 'c', 'd'], 'maxCount'],
    [Array.from({ length: 250_000 }, () => 1), 'maxCount'],
  ])('rejects case %# with %s', (given, type) => {
    expect(outcomeOf((report) => readList(rule, given, report))).toEqual({ refused: [type] });
  });

  it('accepts only the options if there are any', () => {
    const limited = { ...rule, options: new Set(['red']) };
    expect(outcomeOf((report) => readList(limited, ['red'], report))).toEqual({ kept: ['red'] });
    expect(outcomeOf((report) => readList(limited, ['blue'], report))).toEqual({
      refused: ['valid'],
    });
  });
});
