import { expect, it } from 'vitest';
import { harmlessType, isAccepted, isImageType } from './accepted-types.ts';

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
