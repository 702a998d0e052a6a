import { describe, expect, it } from 'vitest';
import { splitLinks } from './split-links.ts';

describe('splitLinks', () => {
  it('returns addresses and the text between them', () => {
    expect(splitLinks('See https://a.example/x?y=1#z and www.b.example.')).toEqual([
      { text: 'See ' },
      { text: 'https://a.example/x?y=1#z', href: 'https://a.example/x?y=1#z' },
      { text: ' and ' },
      { text: 'www.b.example', href: 'https://www.b.example' },
      { text: '.' },
    ]);
    expect(splitLinks('')).toEqual([]);
  });

  it('keeps brackets that belong to an address', () => {
    expect(splitLinks('(https://a.example/b_(c))')).toEqual([
      { text: '(' },
      { text: 'https://a.example/b_(c)', href: 'https://a.example/b_(c)' },
      { text: ')' },
    ]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://',
    'https://[',
    'awww.example',
    '<script>alert(1)</script>',
  ])('returns %j as text', (text) => {
    expect(splitLinks(text)).toEqual([{ text }]);
  });

  it('runs in linear time', () => {
    // Counting the brackets again for each one would exceed the time limit of a test.
    expect(splitLinks(`https://a.example/${')'.repeat(500_000)}`)).toHaveLength(2);
  });
});
