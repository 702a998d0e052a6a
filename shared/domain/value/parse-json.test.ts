import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.ts';
import { parseJson } from './parse-json.ts';

describe('parseJson', () => {
  it.each([
    '{"a":[1,"9007199254740993",{"b":null}]}',
    '9007199254740991',
    '-9007199254740992',
    '1e22',
    '1.7976931348623157e308',
    '5e-324',
    '100000000000000000000000',
    '0.10000000000000001',
    '12.340000000000000000000',
    '1234567890.123456',
    '{"id":"12345678901234567","e":"9e99","__proto__":1}',
  ])('parses %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['{"a":9007199254740993}', "9007199254740993 in 'a'"],
    [
      '{"data":{"list":[1,{"x":-12345678901234567890}]}}',
      "-12345678901234567890 in 'data.list.1.x'",
    ],
    ['18446744073709551616', 'The number 18446744073709551616 has'],
    ['{"a":9007199254740993.0}', "in 'a'"],
    ['{"a":9.007199254740993e15}', "in 'a'"],
    ['{"a":1e400}', "1e400 in 'a'"],
    ['[0.1234567890123456789]', "in '0'"],
  ])('rejects %s because digits would be lost', (text, place) => {
    expect(() => parseJson(text)).toThrow(Refusal);
    expect(() => parseJson(text)).toThrow(place);
  });

  it('throws a SyntaxError for invalid JSON', () => {
    expect(() => parseJson('{"a":9007199254740993')).toThrow(SyntaxError);
  });
});
