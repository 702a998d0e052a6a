import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { readSession, setSession } from './session-cookie.ts';

const token = 'a'.repeat(32);
const request = (hostname: string, headers: Readonly<Record<string, string>>, protocol = 'http') =>
  ({ method: 'GET', protocol, hostname, host: hostname, headers }) as unknown as FastifyRequest;

const secure = { cookie: `annals-session=${'b'.repeat(32)}; __Host-annals-session=${token}` };
const plain = { cookie: `annals-session=${token}` };
const fromPage = { 'sec-fetch-site': 'same-origin' };

it.each([
  ['behind a proxy that reports TLS', request('a.example', secure, 'https')],
  ['behind a proxy that does not report TLS', request('a.example', { ...secure, ...fromPage })],
])('ignores a cookie that another host or plain HTTP could have set (%s)', (_, over) => {
  expect(readSession(over)).toBe(token);
  const headers = { ...over.headers, ...plain };
  expect(readSession({ ...over, headers } as FastifyRequest)).toBeUndefined();
});

it.each([
  ['on 127.0.0.1', request('127.0.0.1', { ...plain, ...fromPage })],
  ['on localhost', request('localhost', { ...plain, ...fromPage })],
  ['over plain HTTP', request('a.example', plain)],
])('reads the cookie without TLS (%s)', (_, over) => {
  expect(readSession(over)).toBe(token);
});

it('sets the cookie under the same name that it reads', () => {
  const set = (over: FastifyRequest): unknown => {
    const headers: unknown[] = [];
    setSession(
      {
        request: over,
        header: (_: string, value: unknown) => headers.push(value),
      } as unknown as FastifyReply,
      token,
    );
    return headers[0];
  };
  const origin = { origin: 'https://a.example' };
  expect(set(request('a.example', origin))).toBe(
    `__Host-annals-session=${token}; Path=/; HttpOnly; SameSite=Strict; Secure`,
  );
  expect(set(request('a.example', {}))).toBe(
    `annals-session=${token}; Path=/; HttpOnly; SameSite=Strict`,
  );
});
