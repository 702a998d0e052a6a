import { describe, expect, it } from 'vitest';
import { quoteText } from './quote-text.ts';

describe('a text literal', () => {
  it.each([
    ['Customer', "'Customer'"],
    ["O'Neill", "'O''Neill'"],
    ['', "''"],
    ['a\\b', "E'a\\\\b'"],
    ["\\'", "E'\\\\'''"],
  ])('quotes %s as %s', (text, quoted) => {
    expect(quoteText(text)).toBe(quoted);
  });

  it('is rejected if it contains NUL', () => {
    expect(() => quoteText('\0')).toThrow(/NUL/);
  });
});
