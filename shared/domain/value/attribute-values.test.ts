import { describe, expect, it } from 'vitest';
import { type AttributeValue, sameValue } from './attribute-values.ts';

describe('sameValue', () => {
  it.each<[AttributeValue, AttributeValue]>([
    [null, null],
    ['a', 'a'],
    [0, -0],
    [false, false],
    [[], []],
    [
      ['a', ['b']],
      ['a', ['b']],
    ],
    [{}, {}],
    [
      { a: 1, b: { c: [null] } },
      { b: { c: [null] }, a: 1 },
    ],
  ])('returns true for %j and %j', (left, right) => {
    expect(sameValue(left, right)).toBe(true);
    expect(sameValue(right, left)).toBe(true);
  });

  it.each<[AttributeValue, AttributeValue]>([
    [null, ''],
    [null, false],
    [null, []],
    [null, {}],
    [0, false],
    [1, '1'],
    ['a', 'A'],
    [['a'], ['a', 'b']],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [[], {}],
    [['a'], { 0: 'a' }],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: null }, {}],
    [{ a: null }, { b: null }],
    [{ toString: null }, { a: null }],
  ])('returns false for %j and %j', (left, right) => {
    expect(sameValue(left, right)).toBe(false);
    expect(sameValue(right, left)).toBe(false);
  });

  it('returns false if only one value is undefined', () => {
    expect(sameValue(undefined, 'a')).toBe(false);
    expect(sameValue([], undefined)).toBe(false);
    expect(sameValue(undefined, undefined)).toBe(true);
  });

  it('compares own keys, including __proto__', () => {
    const named = (value: number) => JSON.parse(`{"__proto__":${value}}`);
    expect(sameValue(named(1), named(1))).toBe(true);
    expect(sameValue(named(1), named(2))).toBe(false);
    expect(sameValue(named(1), {})).toBe(false);
  });
});
