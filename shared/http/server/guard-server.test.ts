import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { buildServer } from './build-server.ts';
import { guardServer } from './guard-server.ts';

const log = pino({ level: 'silent' });

async function serve(settings: {
  readonly requestsPerSecond?: number;
  readonly corsOrigins?: readonly string[];
  readonly trustedProxies?: readonly string[];
}) {
  const { requestsPerSecond = 0, corsOrigins = [], trustedProxies = [] } = settings;
  const server = buildServer({ log, bodyLimitBytes: 1_000, trustedProxies });
  await guardServer(server, {
    requestsPerSecond,
    corsOrigins,
    provenUserId: ({ headers }) => headers['x-api-key'] as string | undefined,
  });
  server.get('/api/v1/:entity', (request) => ({ ip: request.ip }));
  const send = (headers: Readonly<Record<string, string>> = {}, remoteAddress = '192.0.2.1') =>
    server.inject({ url: '/api/v1/Contact', headers, remoteAddress });
  return { server, send };
}

const origin = 'https://app.example';
const preflight = {
  method: 'OPTIONS',
  url: '/api/v1/Contact',
  headers: {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'x-api-key',
  },
} as const;

describe('the rate limit', () => {
  it('is off by default and adds no headers', async () => {
    const { send } = await serve({});
    const answers = await Promise.all(Array.from({ length: 50 }, () => send()));
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(Object.keys(answers[0]?.headers ?? {}).join()).not.toMatch(/ratelimit|access-control/);
  });

  it('counts per user if the user is known, otherwise per address', async () => {
    const { send } = await serve({ requestsPerSecond: 3 });
    const callers = [
      () => send({ 'x-api-key': 'ann' }),
      () => send({ 'x-api-key': 'bob' }),
      () => send(),
      () => send({}, '192.0.2.2'),
      () => send({}, '2001:db8::1'),
    ];
    for (const call of callers) {
      const answers = [await call(), await call(), await call()];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      expect(answers[0]?.headers).toMatchObject({
        'ratelimit-limit': '3',
        'ratelimit-remaining': '2',
        'ratelimit-reset': '1',
      });
    }
    for (const refused of [await send({ 'x-api-key': 'ann' }), await send()]) {
      expect(refused.statusCode).toBe(429);
      expect(refused.json()).toEqual({ message: 'Too many requests.', code: 'rate.limited' });
      expect(refused.headers).toMatchObject({
        'retry-after': '1',
        'ratelimit-remaining': '0',
        'x-status-reason': 'Too many requests.',
        'content-type': 'application/json',
      });
    }
    // The same subscriber's network.
    expect((await send({}, '2001:db8::2')).statusCode).toBe(429);
    expect((await send({}, '2001:db8:0:1::1')).statusCode).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await send()).statusCode).toBe(200);
  });
});

describe('CORS', () => {
  it('is off by default', async () => {
    const { server, send } = await serve({});
    const answer = await server.inject(preflight);
    expect(answer.statusCode).toBe(204);
    expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect((await send({ origin })).headers['access-control-allow-origin']).toBeUndefined();
  });

  it('allows pages from the configured origins and preflights without credentials', async () => {
    const { server, send } = await serve({ corsOrigins: [origin, 'https://b.example'] });
    const answer = await server.inject(preflight);
    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'x-api-key',
      'access-control-max-age': '600',
    });
    const { headers } = await send({ origin });
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-expose-headers']).toContain('X-Status-Reason');
    const stranger = await send({ origin: 'https://evil.example' });
    expect(stranger.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('does not change responses to unknown paths and methods', async () => {
    const { server } = await serve({ corsOrigins: [origin] });
    expect((await server.inject({ url: '/nothing', headers: { origin } })).statusCode).toBe(404);
    const wrong = await server.inject({ method: 'PUT', url: '/api/v1/Contact' });
    expect([wrong.statusCode, wrong.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('the address of a client', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.7, 10.0.0.9' };

  it('is the address of the connection', async () => {
    const { send } = await serve({});
    expect((await send(forwarded)).json()).toEqual({ ip: '192.0.2.1' });
  });

  it('is the last untrusted address in X-Forwarded-For from a trusted proxy', async () => {
    const { send } = await serve({ trustedProxies: ['10.0.0.0/8', '192.0.2.1'] });
    expect((await send(forwarded)).json()).toEqual({ ip: '198.51.100.7' });
    const forged = { 'x-forwarded-for': '1.1.1.1, 198.51.100.7' };
    expect((await send(forged)).json()).toEqual({ ip: '198.51.100.7' });
    expect((await send(forwarded, '192.0.2.2')).json()).toEqual({ ip: '192.0.2.2' });
  });
});
