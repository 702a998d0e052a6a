import { describe, expect, it } from 'vitest';
import { requireObject } from './require-object.ts';

describe('a body that must be an object', () => {
  it('is returned unchanged', () => {
    const body = { name: 'x' };
    expect(requireObject(body)).toBe(body);
    expect(requireObject({})).toEqual({});
  });

  it.each([
    [undefined, 'not empty'],
    [null, 'not null'],
    [[], 'not an array'],
    ['x', 'not a string'],
    [1, 'not a number'],
    [true, 'not a boolean'],
  ])('is rejected if it is %j', (body, reason) => {
    expect(() => requireObject(body)).toThrow(reason);
  });
});
