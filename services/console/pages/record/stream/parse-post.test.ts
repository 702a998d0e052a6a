import { describe, expect, it } from 'vitest';
import { type PostPart, parsePost, plainPost } from './parse-post.ts';

/** Writes parts as markup without attributes, which is easier to compare. */
function written(parts: readonly PostPart[]): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.kind === 'text' ? part.text : `<${part.kind}:${part.text}>`;
      if (!('parts' in part)) return `<${part.kind}>`;
      const name = part.kind === 'link' ? `link ${part.href}` : part.kind;
      return `<${name}>${written(part.parts)}</>`;
    })
    .join('');
}

describe('parsePost', () => {
  it.each([
    ['Talked to **Ines** and _Jo_', '<paragraph>Talked to <bold>Ines</> and <italic>Jo</></>'],
    ['one\ntwo\n\nthree', '<paragraph>one<break>two</><paragraph>three</>'],
    ['- a\n- b', '<list><item>a</><item>b</></>'],
    ['3. a\n4. b', '<orderedList><item>a</><item>b</></>'],
    ['- [x] a\n- [ ] b', '<list><item>☑ a</><item>☐ b</></>'],
    ['run `a < b`', '<paragraph>run <code:a < b></>'],
    ['```\na\n\nb\n```', '<codeBlock:a\n\nb>'],
    ['# Title', '<heading>Title</>'],
    ['> said', '<quote><paragraph>said</></>'],
    ['2 * 3 * 4 and a_b_c', '<paragraph>2 * 3 * 4 and a_b_c</>'],
    ['\\*as typed\\*', '<paragraph>*as typed*</>'],
  ])('formats %j', (text, expected) => {
    expect(written(parsePost(text))).toBe(expected);
  });

  it.each([
    ['https://a.example/x?y=1#z.', 'https://a.example/x?y=1#z', '.'],
    ['www.b.example.', 'https://www.b.example', '.'],
    ['[terms](https://c.example/b_(c))', 'https://c.example/b_(c)', ''],
    ['jo@d.example', 'mailto:jo@d.example', ''],
  ])('links the address in %j', (text, href, rest) => {
    expect(written(parsePost(text))).toMatch(`<link ${href}>`);
    expect(written(parsePost(text)).endsWith(`${rest}</>`)).toBe(true);
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](data:text/html,x)',
    '[x](/relative)',
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '![x](https://a.example/x.png)',
    '| a |\n|---|\n| b |',
  ])('keeps %j as text', (text) => {
    const kinds = JSON.stringify(parsePost(text));
    expect(kinds).not.toMatch(/"kind":"(?!text|paragraph)/);
    expect(written(parsePost(text))).toContain(text);
  });

  it.each([
    '>'.repeat(19_000),
    `${'*a '.repeat(6_000)}b`,
    'x'.repeat(1_000_000),
    '['.repeat(19_000),
  ])('keeps text that exceeds the limits of the parser', (text) => {
    expect(written(parsePost(text)).replaceAll(/<\/?\w*>/g, '')).toHaveLength(text.length);
  });
});

it('plainPost returns the text without its formatting', () => {
  const text = 'Talked to **Ines**:\n- offer\n- [terms](https://a.example)\n\n> ok\n\nBye';
  expect(plainPost(text)).toBe('Talked to Ines: offer terms ok Bye');
});
