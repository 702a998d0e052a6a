import type { BadRequest } from './bad-request.ts';

const asText = { 'Content-Type': 'text/plain' };
const valid = '{"name":"Would be fine"}';
const overOneMebibyte = `{"name":"x"}${' '.repeat(1024 * 1024 - 11)}`;

const toAccount = (
  name: string,
  body: unknown,
  expected: Partial<Pick<BadRequest, 'status' | 'headers' | 'messagePattern'>> & {
    readonly messagePattern: RegExp;
  },
): BadRequest => ({ name, method: 'POST', path: '/Account', body, status: 400, ...expected });

/** A value without text representation. */
const textless = { toString: 1, valueOf: 1 };

const withoutText = (path: string, body: object, messagePattern: RegExp): BadRequest => ({
  name: `an object without a text in the body of POST ${path}`,
  method: 'POST',
  path,
  body,
  status: 400,
  messagePattern,
});

/** Bodies that are not JSON objects, or that have wrong headers. */
export const badBodies: readonly BadRequest[] = [
  toAccount('JSON with an extra comma', '{"name": "x",}', { messagePattern: /position 13\b/ }),
  toAccount('JSON without quotes', '{name: "x"}', { messagePattern: /position 1\b/ }),
  toAccount('JSON that ends early', '{"name":"x"', { messagePattern: /position 11\b/ }),
  toAccount('text behind the JSON', '{"name":"x"} and more', { messagePattern: /position 13\b/ }),
  toAccount('a number with a leading zero', '{"sicCode":01}', {
    messagePattern: /position 1[12]\b/,
  }),
  toAccount('a control character in a text', '{"name":"a\u0001b"}', { messagePattern: /position/ }),
  toAccount('a body of spaces', '   ', { messagePattern: /position 3\b/ }),
  toAccount('an array', [{ name: 'x' }], { messagePattern: /array/ }),
  toAccount('a text', '"name"', { messagePattern: /string/ }),
  toAccount('a number', '7', { messagePattern: /number/ }),
  toAccount('null', 'null', { messagePattern: /null/ }),
  toAccount('true', 'true', { messagePattern: /boolean/ }),
  toAccount('a body that is not UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]), {
    messagePattern: /UTF-8/,
  }),
  toAccount('600 brackets', `${'['.repeat(600)}${']'.repeat(600)}`, { messagePattern: /deep/ }),
  toAccount('600 nested objects', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`, {
    messagePattern: /deep/,
  }),
  toAccount('a body over 1 MiB', overOneMebibyte, { status: 413, messagePattern: /large/ }),
  toAccount('a form body', 'name=x', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    messagePattern: /application\/x-www-form-urlencoded/,
  }),
  toAccount('JSON with the content type text/plain', valid, {
    headers: asText,
    messagePattern: /text\/plain/,
  }),
  toAccount('JSON without a content type', valid, {
    headers: { 'Content-Type': '' },
    messagePattern: /content type/i,
  }),
  toAccount('a nonsensical content type', valid, {
    headers: { 'Content-Type': 'no type at all' },
    messagePattern: /content type/i,
  }),
  toAccount('a compressed body', valid, {
    headers: { 'Content-Encoding': 'gzip' },
    messagePattern: /gzip/,
  }),
  {
    ...toAccount('an array', [], { messagePattern: /array/ }),
    method: 'PUT',
    path: '/Account/{account}',
  },
  {
    ...toAccount('broken JSON', '{"name"', { messagePattern: /position 7\b/ }),
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
    /must be a string/,
  ),
  withoutText(
    '/MassAction',
    { entityType: 'Account', action: 'delete', params: { searchParams: { q: textless } } },
    /q should be string/,
  ),
];
