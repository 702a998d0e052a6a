import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../test/support/builders/outcome-of-reading.ts';
import { readJsonObject } from './read-json-object.ts';

const rule = { field: 'data', attribute: 'data' };

describe('readJsonObject', () => {
  it.each([
    [null, null],
    [{}, {}],
    [[], {}],
    [
      { Account: { read: 'all' }, Lead: false, list: [1, null, 'a'] },
      { Account: { read: 'all' }, Lead: false, list: [1, null, 'a'] },
    ],
    [nest(32), nest(32)],
  ])('reads %j as %j', (given, kept) => {
    expect(outcomeOf((report) => readJsonObject(rule, given, report))).toEqual({ kept });
  });

  it.each([
    ['a text', '{"a":1}'],
    ['a number', 7],
    ['a list', [1]],
    ['33 levels', nest(33)],
    ['100,000 levels', nest(100_000)],
    ['a __proto__ key', JSON.parse('{"a":{"__proto__":{"isAdmin":true}}}')],
    ['NUL in a value', { a: ['\0'] }],
    ['NUL in a key', { 'a\0': 1 }],
    ['an unpaired surrogate', { a: '\ud800' }],
    ['an infinite number', JSON.parse('{"a":1e999}')],
  ])('rejects %s', (_, given) => {
    expect(outcomeOf((report) => readJsonObject(rule, given, report))).toEqual({
      refused: ['valid'],
    });
  });
});

function nest(levels: number): object {
  let nested = {};
  for (let level = 1; level < levels; level += 1) nested = { a: nested };
  return nested;
}
