import { describe, expect, it } from 'vitest';
import { isUnchanged } from './is-unchanged.ts';

describe('a client that knows a version', () => {
  it.each(['"v7"', 'W/"v7"', '"v1", "other", W/"v7"', '*', ' * '])(
    'has version 7 with If-None-Match: %s',
    (header) => {
      expect(isUnchanged(header, 7)).toBe(true);
    },
  );

  it.each([undefined, '', '"v8"', '"7"', 'v7', '"v7', '*, "v7"', '"v07x"'])(
    'does not have version 7 with If-None-Match: %s',
    (header) => {
      expect(isUnchanged(header, 7)).toBe(false);
    },
  );
});
