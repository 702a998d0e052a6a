import { expect, it } from 'vitest';
import { readPlace } from './read-audit.ts';

it('parses the position where a page ended and rejects other texts', () => {
  expect(readPlace('1900000000000s17')).toEqual({ atMs: 1.9e12, source: 's', number: 17 });
  expect(readPlace('5c0')).toEqual({ atMs: 5, source: 'c', number: 0 });
  for (const text of ['', 's1', '1x1', '1s', '-1s1', '1s1 ', `1s${'9'.repeat(16)}`]) {
    expect(readPlace(text)).toBeUndefined();
  }
});
