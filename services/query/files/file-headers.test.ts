import { parse } from 'content-disposition';
import { expect, it } from 'vitest';
import { fileHeaders } from './file-headers.ts';

const headersOf = (name: string, type = 'text/plain') =>
  fileHeaders({ name, type, size: 1, sha256: 'ab' });

it.each([
  ['a.txt', 'a.txt'],
  ['Übersicht €.txt', 'Übersicht €.txt'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['a"b\\c;d.txt', 'a_b_c;d.txt'],
  ['a\r\nSet-Cookie: x', 'a__Set-Cookie_ x'],
  ['exe.\u202Efdp', 'exe._fdp'],
  ['\ud800', '\ufffd'],
  ['..', 'file'],
  ['', 'file'],
])('converts the file name %j to %j', (name, saved) => {
  const header = headersOf(name)['content-disposition'] ?? '';
  expect(header).toMatch(/^[\x20-\x7e]+$/);
  expect(parse(header)).toMatchObject({ type: 'attachment', parameters: { filename: saved } });
});

it('shows pictures inline and sends all other files as downloads', () => {
  expect(headersOf('a', 'image/png')['content-disposition']).toMatch(/^inline/);
  expect(headersOf('a', 'image/svg+xml')).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment/),
  });
});
