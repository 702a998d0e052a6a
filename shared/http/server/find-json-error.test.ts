import { describe, expect, it } from 'vitest';
import { findJsonError } from './find-json-error.ts';

describe('the position of a JSON error', () => {
  it.each([
    ['', 0],
    [' ', 1],
    ['x', 0],
    ['{', 1],
    ['{a}', 1],
    ['{"a"}', 4],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['{"a":1}x', 7],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['[1}', 2],
    ['{"a":[true,fals]}', 11],
    ['{"a":01}', 5],
    ['{"a":"b\\x"}', 5],
    ['{"a":"b\n"}', 5],
    ['{"a":"b', 5],
    ['{"a":{"b":[1,{"c":nul', 18],
    ['{"a":-}', 5],
    ["{'a':1}", 1],
    [']', 0],
  ])('in %j is %i', (text, position) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(findJsonError(text)).toBe(position);
  });

  it('is the end of the text if it is valid JSON', () => {
    for (const text of ['{"a":[1,-2.5e+3,"\\u00e9\\"",null,{"b":{}},[]]}', '"x"', ' 1 ', 'true']) {
      expect(() => JSON.parse(text)).not.toThrow();
      expect(findJsonError(text)).toBe(text.length);
    }
  });

  it('is found in a long text without overflowing the stack', () => {
    expect(findJsonError('['.repeat(1_000_000))).toBe(1_000_000);
    expect(findJsonError(`{"a":"${'\\n'.repeat(500_000)}"!}`)).toBe(1_000_007);
  });
});
