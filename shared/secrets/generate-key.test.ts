import { describe, expect, it } from 'vitest';
import { generateKey } from './generate-key.ts';

describe('a generated key', () => {
  it('has 32 lower-case hexadecimal characters and is unique', () => {
    const keys = Array.from({ length: 100 }, generateKey);
    expect(keys.every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true);
    expect(new Set(keys).size).toBe(100);
  });
});
