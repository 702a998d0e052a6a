import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../test/support/builders/outcome-of-reading.ts';
import { compilePattern, readText, type TextRule } from './read-text.ts';

const varchar: TextRule = {
  field: 'title',
  attribute: 'title',
  trim: true,
  maxLength: 5,
  pattern: null,
  patternMeaning: 'must match the pattern of the field',
};

describe('readText with trimming', () => {
  it.each([
    ['  ab ', 'ab'],
    ['', null],
    [' \t\n', null],
    [null, null],
    [12, '12'],
    [1.5, '1.5'],
    [-0, '0'],
    [99_999, '99999'],
    ['\u{1F600}', '\u{1F600}'],
    ['  abcde  ', 'abcde'],
  ])('reads %j as %j', (given, kept) => {
    expect(outcomeOf((report) => readText(varchar, given, report))).toEqual({ kept });
  });

  it.each([
    [true, 'valid'],
    [{}, 'valid'],
    [['a'], 'valid'],
    [Number.POSITIVE_INFINITY, 'valid'],
    [2 ** 53, 'valid'],
    [-(2 ** 53), 'valid'],
    [1e300, 'valid'],
    ['a\0b', 'valid'],
    ['\ud83d', 'valid'],
    ['\ude00a', 'valid'],
    ['abcdef', 'maxLength'],
    ['x'.repeat(1_000_000), 'maxLength'],
  ])('rejects %j with %s', (given, type) => {
    expect(outcomeOf((report) => readText(varchar, given, report))).toEqual({ refused: [type] });
  });

  it('requires the whole text to match the pattern', () => {
    const rule = { ...varchar, pattern: compilePattern('[a-z]+|[0-9]+') };
    expect(outcomeOf((report) => readText(rule, 'abc', report))).toEqual({ kept: 'abc' });
    expect(outcomeOf((report) => readText(rule, 'abc1', report))).toEqual({ refused: ['pattern'] });
    expect(outcomeOf((report) => readText(rule, 'a\nb', report))).toEqual({ refused: ['pattern'] });
  });
});

describe('readText without trimming', () => {
  const text = { ...varchar, trim: false, maxLength: Infinity };

  it('keeps whitespace and returns null only for empty text', () => {
    expect(outcomeOf((report) => readText(text, ' a \n', report))).toEqual({ kept: ' a \n' });
    expect(outcomeOf((report) => readText(text, ' ', report))).toEqual({ kept: ' ' });
    expect(outcomeOf((report) => readText(text, '', report))).toEqual({ kept: null });
  });
});
