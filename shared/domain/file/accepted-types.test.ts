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
])('%s is never sent as such: scripts may run in it', (type) => {
  expect(harmlessType(type)).toBe('application/octet-stream');
  expect(isImageType(type)).toBe(false);
});

it.each(['text/plain', 'text/csv', 'application/pdf', 'application/json', 'image/png'])(
  '%s is sent as it is',
  (type) => {
    expect(harmlessType(type)).toBe(type);
  },
);

it('accepts types, their first halves, and endings of names', () => {
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
