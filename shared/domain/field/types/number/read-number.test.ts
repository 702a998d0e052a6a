import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../test/support/builders/outcome-of-reading.ts';
import { type NumberRule, readAmount, readFloat, readInt } from './read-number.ts';

const anyNumber: NumberRule = { field: 'size', attribute: 'size', min: -Infinity, max: Infinity };
const percent: NumberRule = { ...anyNumber, min: 0, max: 100 };

describe('readInt', () => {
  it.each([
    [12, 12],
    ['12', 12],
    [' +12 ', 12],
    ['-7', -7],
    ['007', 7],
    [0, 0],
    [-0, 0],
    ['-0', 0],
    ['', null],
    [null, null],
    [2_147_483_647, 2_147_483_647],
    ['-2147483647', -2_147_483_647],
  ])('reads %j as %j', (given, kept) => {
    expect(outcomeOf((report) => readInt(anyNumber, given, report))).toEqual({ kept });
  });

  it.each([
    [12.5, 'valid'],
    ['12.5', 'valid'],
    ['1e3', 'valid'],
    ['0x10', 'valid'],
    ['twelve', 'valid'],
    [' ', 'valid'],
    [true, 'valid'],
    [[12], 'valid'],
    [{}, 'valid'],
    [Number.NaN, 'valid'],
    [Number.POSITIVE_INFINITY, 'valid'],
    ['9'.repeat(1_000_000), 'valid'],
    ['9'.repeat(60), 'rangeInternal'],
    [2_147_483_648, 'rangeInternal'],
    [-2_147_483_648, 'rangeInternal'],
  ])('rejects case %# with %s', (given, type) => {
    expect(outcomeOf((report) => readInt(anyNumber, given, report))).toEqual({ refused: [type] });
  });

  it('enforces the bounds of the definition', () => {
    expect(outcomeOf((report) => readInt(percent, 100, report))).toEqual({ kept: 100 });
    expect(outcomeOf((report) => readInt(percent, 101, report))).toEqual({ refused: ['max'] });
    expect(outcomeOf((report) => readInt(percent, -1, report))).toEqual({ refused: ['min'] });
  });
});

describe('readFloat', () => {
  it.each([
    [1.5, 1.5],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['-2.', -2],
    ['1e3', 1000],
    ['', null],
    [null, null],
  ])('reads %j as %j', (given, kept) => {
    expect(outcomeOf((report) => readFloat(anyNumber, given, report))).toEqual({ kept });
  });

  it.each([
    ['1,5'],
    ['1.5.1'],
    ['1e999'],
    ['NaN'],
    ['Infinity'],
    [false],
    [[]],
    [`${'1'.repeat(70)}x`],
  ])('rejects %j', (given) => {
    expect(outcomeOf((report) => readFloat(anyNumber, given, report))).toEqual({
      refused: ['valid'],
    });
  });
});

describe('readAmount', () => {
  it('accepts at most 13 digits before the decimal point', () => {
    expect(outcomeOf((report) => readAmount(anyNumber, '9999999999999', report))).toEqual({
      kept: 9_999_999_999_999,
    });
    expect(outcomeOf((report) => readAmount(anyNumber, 1e13, report))).toEqual({
      refused: ['inPermittedRange'],
    });
  });

  it.each([0, 0.000_000_001, -0.5])('accepts %d', (amount) => {
    expect(outcomeOf((report) => readAmount(anyNumber, amount, report))).toEqual({ kept: amount });
  });

  it.each([5e-324, -1e-10, 1e308])('rejects %s', (amount) => {
    expect(outcomeOf((report) => readAmount(anyNumber, amount, report))).toEqual({
      refused: ['inPermittedRange'],
    });
  });
});
