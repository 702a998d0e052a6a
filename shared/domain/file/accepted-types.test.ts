import { expect, it } from 'vitest';
import { harmlessType, isAccepted, isImageType, readDataUrl } from './accepted-types.ts';

it.each([
  'text/html',
  'application/xhtml+xml',
  'image/svg+xml',
  'text/xml',
  'application/xml',
  'text/javascript',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'application/atom+xml',
])('serves %s as a binary download because it may contain scripts', (type) => {
  expect(harmlessType(type)).toBe('application/octet-stream');
  expect(isImageType(type)).toBe(false);
});

it.each(['text/plain', 'text/csv', 'application/pdf', 'application/json', 'image/png'])(
  'serves %s unchanged',
  (type) => {
    expect(harmlessType(type)).toBe(type);
  },
);

it('accepts media types, wildcard types and file name extensions', () => {
  const accept = ['image/*', 'application/pdf', '.CSV'];
  const accepts = (type: string, name = 'a') => isAccepted(accept, { type, name });
  expect([accepts('image/png'), accepts('application/pdf'), accepts('a/b', 'x.csv')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([accepts('imagex/png'), accepts('application/pdfx'), accepts('a/b', 'csv')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(isAccepted([], { type: 'a/b', name: 'x' })).toBe(true);
});

it.each([
  ['data:text/plain;base64,aGk=', 'text/plain', 'hi'],
  ['data:text/plain;charset=utf-8;base64,aGk', 'text/plain', 'hi'],
  ['DATA:;BASE64,aGk=', undefined, 'hi'],
  ['data:text/plain;base64,aG\r\nk=\n', 'text/plain', 'hi'],
  ['data:a/b;base64,', 'a/b', ''],
])('reads the data URL %s with the type %s and the content %s', (url, type, text) => {
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
])('returns undefined for the invalid data URL %j', (url) => {
  expect(readDataUrl(url)).toBeUndefined();
});
