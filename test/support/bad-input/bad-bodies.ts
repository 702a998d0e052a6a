import type { BadRequest } from './bad-request.ts';

const asText = { 'Content-Type': 'text/plain' };
const valid = '{"name":"Would be fine"}';
const overOneMebibyte = `{"name":"x"}${' '.repeat(1024 * 1024 - 11)}`;

const toAccount = (
  name: string,
  body: unknown,
  expected: Partial<Pick<BadRequest, 'status' | 'headers' | 'says'>> & { readonly says: RegExp },
): BadRequest => ({ name, method: 'POST', path: '/Account', body, status: 400, ...expected });

/** A value without text representation. */
const textless = { toString: 1, valueOf: 1 };

const withoutText = (path: string, body: object, says: RegExp): BadRequest => ({
  name: `an object without a text in the body of POST ${path}`,
  method: 'POST',
  path,
  body,
  status: 400,
  says,
});

/** Bodies that are not JSON objects, or that have wrong headers. */
export const badBodies: readonly BadRequest[] = [
  toAccount('JSON with an extra comma', '{"name": "x",}', { says: /position 13\b/ }),
  toAccount('JSON without quotes', '{name: "x"}', { says: /position 1\b/ }),
  toAccount('JSON that ends early', '{"name":"x"', { says: /position 11\b/ }),
  toAccount('text behind the JSON', '{"name":"x"} and more', { says: /position 13\b/ }),
  toAccount('a number with a leading zero', '{"sicCode":01}', { says: /position 1[12]\b/ }),
  toAccount('a control character in a text', '{"name":"a\u0001b"}', { says: /position/ }),
  toAccount('a body of spaces', '   ', { says: /position 3\b/ }),
  toAccount('an array', [{ name: 'x' }], { says: /array/ }),
  toAccount('a text', '"name"', { says: /string/ }),
  toAccount('a number', '7', { says: /number/ }),
  toAccount('null', 'null', { says: /null/ }),
  toAccount('true', 'true', { says: /boolean/ }),
  toAccount('a body that is not UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]), {
    says: /UTF-8/,
  }),
  toAccount('600 brackets', `${'['.repeat(600)}${']'.repeat(600)}`, { says: /deep/ }),
  toAccount('600 nested objects', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`, { says: /deep/ }),
  toAccount('a body over 1 MiB', overOneMebibyte, { status: 413, says: /large/ }),
  toAccount('a form body', 'name=x', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    says: /application\/x-www-form-urlencoded/,
  }),
  toAccount('JSON with the content type text/plain', valid, {
    headers: asText,
    says: /text\/plain/,
  }),
  toAccount('JSON without a content type', valid, {
    headers: { 'Content-Type': '' },
    says: /content type/i,
  }),
  toAccount('a nonsensical content type', valid, {
    headers: { 'Content-Type': 'no type at all' },
    says: /content type/i,
  }),
  toAccount('a compressed body', valid, {
    headers: { 'Content-Encoding': 'gzip' },
    says: /gzip/,
  }),
  { ...toAccount('an array', [], { says: /array/ }), method: 'PUT', path: '/Account/{account}' },
  {
    ...toAccount('broken JSON', '{"name"', { says: /position 7\b/ }),
    method: 'PATCH',
    path: '/Account/{account}',
  },
  withoutText('/Lead/action/convert', { id: textless, records: {} }, /'id'/),
  withoutText('/Lead/action/getConvertAttributes', { id: textless }, /'id'/),
  withoutText('/Account/action/merge', { targetId: textless, sourceIds: ['a'] }, /targetId/),
  withoutText('/Account/action/restoreDeleted', { id: textless }, /id/),
  withoutText('/Account/action/getDuplicateAttributes', { id: textless }, /id/),
  withoutText(
    '/MassAction',
    {
      entityType: 'Account',
      action: 'delete',
      params: { where: [{ type: 'bool', value: [textless] }] },
    },
    /text/,
  ),
  withoutText(
    '/MassAction',
    { entityType: 'Account', action: 'delete', params: { searchParams: { q: textless } } },
    /q should be string/,
  ),
];
