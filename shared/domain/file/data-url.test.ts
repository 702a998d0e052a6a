import { expect, it } from 'vitest';
import { readDataUrl } from './data-url.ts';

it.each([
  ['data:text/plain;base64,aGk=', 'text/plain', 'hi'],
  ['data:text/plain;charset=utf-8;base64,aGk', 'text/plain', 'hi'],
  ['DATA:;BASE64,aGk=', undefined, 'hi'],
  ['data:text/plain;base64,aG\r\nk=\n', 'text/plain', 'hi'],
  ['data:a/b;base64,', 'a/b', ''],
])('reads %s as %s: %s', (url, type, text) => {
  const read = readDataUrl(url);
  expect([read?.type, read?.data.toString()]).toEqual([type, text]);
});

it.each([
  '',
  'aGk=',
  'data:text/plain,hi',
  'data:text/plain;base64',
  'data:text/plain;base64,a',
  'data:text/plain;base64,a*k=',
  'data:text/plain;base64,aG k=',
  'data:text/plain;base64,a===',
  `data:${'x'.repeat(600)};base64,aGk=`,
])('returns undefined for %j', (url) => {
  expect(readDataUrl(url)).toBeUndefined();
});
