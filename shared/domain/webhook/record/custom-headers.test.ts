import { describe, expect, it } from 'vitest';
import { readCustomHeaders } from './custom-headers.ts';

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-Custom-${index}`, 'a']));

describe('readCustomHeaders', () => {
  it.each([{ Authorization: 'Bearer a b' }, { 'X-Tenant': '1', cookie: 'a=b' }, many(10), {}])(
    'accepts %j',
    (headers) => {
      expect(readCustomHeaders(headers)).toEqual({ headers });
    },
  );

  it.each([null, []])('returns no headers for %j', (given) => {
    expect(readCustomHeaders(given)).toEqual({ headers: {} });
  });

  const refused: readonly (readonly [unknown, string])[] = [
    [many(11), 'at most 10'],
    ['X-A: b', 'object'],
    [['X-A'], 'object'],
    [7, 'object'],
    [{ '': 'a' }, 'invalid name'],
    [{ 'X A': 'a' }, 'invalid name'],
    [{ 'X-A:': 'a' }, 'invalid name'],
    [{ 'X-\u00e4': 'a' }, 'invalid name'],
    [{ ['x'.repeat(101)]: 'a' }, 'invalid name'],
    [{ 'X-A': '' }, 'visible ASCII'],
    [{ 'X-A': ' a' }, 'visible ASCII'],
    [{ 'X-A': 'a\r\nX-B: c' }, 'visible ASCII'],
    [{ 'X-A': '\u00e4' }, 'visible ASCII'],
    [{ 'X-A': 'a'.repeat(1001) }, 'visible ASCII'],
    [{ 'X-A': 1 }, 'visible ASCII'],
    [{ 'X-A': null }, 'visible ASCII'],
    [{ 'X-A': 'a', 'x-a': 'b' }, 'twice'],
    ...[
      'Host',
      'content-length',
      'Content-Type',
      'Transfer-Encoding',
      'Connection',
      'X-Signature',
      'signature',
      'webhook-id',
      'X-Webhook-Attempt',
      'User-Agent',
      'traceparent',
      'Proxy-Authorization',
      'accept-encoding',
    ].map((name) => [{ [name]: 'a' }, 'reserved'] as const),
  ];

  it.each(refused)('rejects %j with: %s', (given, reason) => {
    expect(readCustomHeaders(given)).toEqual({
      problem: expect.objectContaining({
        field: 'headers',
        type: 'valid',
        message: expect.stringContaining(reason),
      }),
    });
  });

  it('names the rejected header in the parameters of the problem', () => {
    expect(readCustomHeaders({ 'X-A': 'a', Host: 'b' })).toEqual({
      problem: expect.objectContaining({ parameters: { form: 'header', header: 'Host' } }),
    });
  });
});
