import type { BadRequest } from './bad-request.ts';

const notFound = (
  name: string,
  path: string,
  { method = 'GET', messagePattern = /./, status = 404 }: Partial<BadRequest> = {},
): BadRequest => ({ name, method, path, status, messagePattern });

const strangeNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'];
const strangeIds = [
  ...strangeNames,
  '%00',
  'a%00b',
  '%2e%2e',
  '%2F',
  "'%20or%201=1--",
  '%F0%9F%99%82',
  'x'.repeat(1_000),
  '0'.repeat(17),
  '-1',
  'NaN',
];

/** Paths that do not exist. */
export const badPaths: readonly BadRequest[] = [
  notFound('an entity type that does not exist', '/Nonsense', { messagePattern: /Nonsense/ }),
  notFound('an entity type with an extra capital letter', '/COntact', {
    messagePattern: /COntact/,
  }),
  notFound('an entity type all in capitals', '/CONTACT', { messagePattern: /CONTACT/ }),
  notFound('a plural with a capital', '/Contacts', { messagePattern: /Contacts/ }),
  notFound('a plural of a plural', '/contactss', { messagePattern: /contactss/ }),
  notFound('an entity type in another script', '/%E6%BC%A2%E5%AD%97'),
  notFound('an entity type with NUL', '/Acc%00ount'),
  notFound('a path outside the API', '/../v2/Account'),
  notFound('a path that is too deep', '/Account/a/b/c/d'),
  notFound('an action that does not exist', '/Account/action/fly', {
    method: 'POST',
    messagePattern: /fly/,
  }),
  ...strangeNames.map((name) =>
    notFound(`the entity type ${name}`, `/${name}`, { messagePattern: /./ }),
  ),
  ...strangeIds.flatMap((id) =>
    ['GET', 'DELETE'].map((method) =>
      notFound(`${method} of the id ${id.slice(0, 20)}`, `/Account/${id}`, { method }),
    ),
  ),
  ...strangeIds.map((id) => ({
    ...notFound(`PUT of the id ${id.slice(0, 20)}`, `/Account/${id}`, { method: 'PUT' }),
    body: { name: 'x' },
  })),
  {
    ...notFound('PATCH of an unknown id', '/Contact/0123456789abcdef0', {
      method: 'PATCH',
      messagePattern: /Record 0123456789abcdef0 not found/,
    }),
    body: { lastName: '' },
  },
  notFound('DELETE of an unknown webhook', '/Webhook/%00', { method: 'DELETE' }),
  notFound('the id of another entity type', '/Contact/{account}'),
  notFound('an id that is far too long', `/Account/${'x'.repeat(4_000)}`, {
    status: 400,
    messagePattern: /long/,
  }),
  notFound('a lone percent sign', '/Account/%', { status: 400, messagePattern: /percent/ }),
  notFound('a percent sign without a number', '/Account/%zz', {
    status: 400,
    messagePattern: /percent/,
  }),
  notFound('percent-encoded broken UTF-8', '/Account/%E0%A4%A', {
    status: 400,
    messagePattern: /percent/,
  }),
  notFound('percent-encoded half a character', '/%C3', { status: 400, messagePattern: /percent/ }),
  notFound('POST to a record', '/Account/{account}', {
    method: 'POST',
    status: 405,
    messagePattern: /POST/,
  }),
  notFound('DELETE of a whole entity type', '/Account', {
    method: 'DELETE',
    status: 405,
    messagePattern: /DELETE/,
  }),
];

const list = (name: string, query: string, messagePattern: RegExp, status = 400): BadRequest => ({
  name,
  method: 'GET',
  path: `/Account?${query}`,
  status,
  messagePattern,
});

/** Requests for invalid lists. */
export const badLists: readonly BadRequest[] = [
  list('a page of 201', 'maxSize=201', /Max size should not exceed 200/, 403),
  list('a page of a million', 'maxSize=1000000', /Max size should not exceed 200/, 403),
  list('a negative page', 'maxSize=-1', /maxSize/),
  list('a fractional page size', 'maxSize=1.5', /maxSize/),
  list('a page size in words', 'maxSize=many', /maxSize/),
  list('a negative offset', 'offset=-1', /offset/),
  list('a hexadecimal offset', 'offset=0x10', /offset/),
  list('an offset beyond all numbers', `offset=${'9'.repeat(400)}`, /offset/),
  list('an order by an unknown attribute', 'orderBy=noSuchField', /noSuchField/),
  list('an order by __proto__', 'orderBy=__proto__', /__proto__/),
  list('an order by constructor', 'orderBy=constructor', /constructor/),
  list('an order by SQL', 'orderBy=name;drop%20table%20annals.account;--', /orderBy|order/i),
  list('an order by NUL', 'orderBy=%00', /orderBy|order/i),
  list('an invalid order direction', 'orderBy=name&order=sideways', /order/),
];
