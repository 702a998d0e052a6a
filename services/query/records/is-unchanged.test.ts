import { describe, expect, it } from 'vitest';
import { isUnchanged } from './is-unchanged.ts';

describe('isUnchanged', () => {
  it.each(['"v7"', 'W/"v7"', '"v1", "other", W/"v7"', '*', ' * '])(
    'returns true for version 7 and If-None-Match: %s',
    (header) => {
      expect(isUnchanged(header, 7)).toBe(true);
    },
  );

  it.each([undefined, '', '"v8"', '"7"', 'v7', '"v7', '*, "v7"', '"v07x"'])(
    'returns false for version 7 and If-None-Match: %s',
    (header) => {
      expect(isUnchanged(header, 7)).toBe(false);
    },
  );
});
