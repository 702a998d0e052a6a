import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../test/support/builders/outcome-of-reading.ts';
import { readLinkId, readLinkIds } from './read-link.ts';

const rule = { field: 'teams', attribute: 'teamsIds', maxCount: 3 };

describe('readLinkId', () => {
  it.each([
    ['65f0c0ffee0000001', '65f0c0ffee0000001'],
    ['a_B=c.d-1', 'a_B=c.d-1'],
    [1, '1'],
    ['', null],
    [null, null],
  ])('reads %j as %j', (given, kept) => {
    expect(outcomeOf((report) => readLinkId(rule, given, report))).toEqual({ kept });
  });

  it.each([
    ['a b'],
    ["1' OR '1'='1"],
    ['a\0'],
    ['\u00e4'],
    ['../x'],
    [1.5],
    [true],
    [{}],
    [['a']],
    ['a'.repeat(101)],
  ])('rejects %j', (given) => {
    expect(outcomeOf((report) => readLinkId(rule, given, report))).toEqual({
      refused: ['pattern'],
    });
  });
});

describe('readLinkIds', () => {
  it.each([
    [null, []],
    [
      ['b', 'a', 'b', 'a', 'c'],
      ['b', 'a', 'c'],
    ],
  ])('reads %j as %j', (given, kept) => {
    expect(outcomeOf((report) => readLinkIds(rule, given, report))).toEqual({ kept });
  });

  it.each([
    ['a', 'valid'],
    [{ a: 'Team A' }, 'valid'],
    [['a', ''], 'pattern'],
    [['a', null], 'pattern'],
    [['a', { id: 'b' }], 'pattern'],
    [['a', 'b', 'c', 'd'], 'maxCount'],
  ])('rejects %j with %s', (given, type) => {
    expect(outcomeOf((report) => readLinkIds(rule, given, report))).toEqual({ refused: [type] });
  });
});
