import { describe, expect, it } from 'vitest';
import { asInert, htmlOf, imageSourceOf, linkTargetOf } from './markup.ts';

describe('htmlOf', () => {
  it('keeps the line breaks of plain text', () => {
    expect(htmlOf('one\ntwo\r\n3 < 4')).toBe('one<br>two<br>3 < 4');
    expect(htmlOf('<p>one\ntwo</p>')).toBe('<p>one\ntwo</p>');
  });
});

describe('asInert', () => {
  it.each([
    ['<p style="color:red">x</p>', '<p data-style="color:red">x</p>'],
    ['<img src=x onerror = "y"/onload=z>', '<img src=x data-onerror = "y"/data-onload=z>'],
    ['<base href="https://x.org/">', '<no-base href="https://x.org/">'],
    ["<p class='a'STYLE = 'x'>", "<p class='a'data-STYLE = 'x'>"],
    ['<style>p {}</style>', '<noframes>p {}</noframes>'],
    ['my style="x" <b>y</b>', 'my style="x" <b>y</b>'],
    ['<p data-style="x">', '<p data-style="x">'],
  ])('renames styles, handlers and base addresses in %s', (html, expected) => {
    expect(asInert(html)).toBe(expected);
  });

  it('takes time in proportion to the length of the text', () => {
    const startedAt = performance.now();
    asInert('<a style'.repeat(200_000));
    asInert('<style'.repeat(200_000));
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('imageSourceOf', () => {
  it.each([
    ['data:image/png;base64,AAAA', { kind: 'inline', address: 'data:image/png;base64,AAAA' }],
    ['?entryPoint=attachment&id=a1', { kind: 'file', address: '/api/v1/Attachment/file/a1' }],
    ['/api/v1/Attachment/file/a1', { kind: 'file', address: '/api/v1/Attachment/file/a1' }],
    ['//x.org/a', { kind: 'remote', address: 'https://x.org/a', host: 'x.org' }],
    ['http://x.org/a', { kind: 'remote', address: 'http://x.org/a', host: 'x.org' }],
  ])('reads %s', (address, source) => {
    expect(imageSourceOf(address)).toEqual(source);
  });

  it.each([
    'data:image/svg+xml;base64,AAAA',
    'javascript:alert(1)',
    '/api/v1/App/user',
    '/api/v1/Attachment/file/../../App/user',
    'x',
    '',
  ])('rejects %j', (address) => {
    expect(imageSourceOf(address)).toBeUndefined();
  });
});

describe('linkTargetOf', () => {
  it.each([
    ['https://x.org', 'https://x.org'],
    [' mailto:a@x.org', 'mailto:a@x.org'],
    ['x.org/a', 'https://x.org/a'],
    ['javascript:alert(1)', undefined],
    ['/api/v1/App/user', undefined],
    ['#top', undefined],
    ['data:text/html,x', undefined],
  ])('maps %s to %s', (address, target) => {
    expect(linkTargetOf(address)).toBe(target);
  });
});
