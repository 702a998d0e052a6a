import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { forbiddenHosts } from '../../../../test/support/bad-input/forbidden-hosts.ts';
import {
  type NameServer,
  startNameServer,
} from '../../../../test/support/receivers/name-server.ts';
import { createOpenableGuard } from '../../../../test/support/receivers/target-guard.ts';
import { createUnobservedSender } from '../../../../test/support/receivers/unobserved-sender.ts';
import type { RequestSender } from './send-request.ts';

/** Listens on every address of this machine, so that it records every connection that gets through. */
const server = createServer((request, response) => {
  requests.push(request);
  response.writeHead(answer.status, answer.headers).end();
});
const connections: Socket[] = [];
const requests: IncomingMessage[] = [];
let answer: { readonly status: number; readonly headers?: Record<string, string> };
let names: NameServer;
let port: number;
const senders: RequestSender[] = [];

beforeAll(async () => {
  names = await startNameServer();
  server.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  port = (server.address() as AddressInfo).port;
});

beforeEach(() => {
  connections.length = 0;
  requests.length = 0;
  answer = { status: 200 };
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const sender of senders.splice(0)) await sender.close();
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await names.close();
});

function buildSender(
  opened: readonly string[] = [`127.0.0.2:${port}`],
  maxConnectionAgeMs = 60_000,
): RequestSender {
  const guard = createOpenableGuard([names.address]);
  guard.open(...opened);
  const limits = { connectTimeoutMs: 500, timeoutMs: 3_000, maxRequestsPerHost: 1 };
  const sender = createUnobservedSender({ ...limits, guard, maxConnectionAgeMs });
  senders.push(sender);
  return sender;
}

const requestTo = (origin: string) => ({
  origin,
  path: '/hook',
  headers: ['Content-Type', 'application/json'],
  body: Buffer.from('[]'),
});

/** Returns all addresses of the requested kind on every lookup. */
const always =
  (...addresses: readonly string[]) =>
  (kind: 'A' | 'AAAA') =>
    addresses.filter((address) => address.includes(':') === (kind === 'AAAA'));

describe('a connection to an address', () => {
  it('is refused for a forbidden address in any notation', async () => {
    const sender = buildSender();
    const hosts = Object.values(forbiddenHosts).flat();
    expect(hosts.length).toBeGreaterThan(60);
    let refused = 0;
    for (const host of hosts) {
      // A text that is not a URL has no origin, and its batches end before a connection is made.
      const origin = URL.parse(`http://${host}:${port}`)?.origin;
      if (origin === undefined) continue;
      const result = await sender.send(requestTo(origin));
      expect({ host, ...result }).toMatchObject({
        kind: 'failed',
        reason: expect.stringMatching(/^address refused: /),
      });
      refused += 1;
    }
    expect(refused).toBeGreaterThan(60);
    expect(connections).toEqual([]);
  });

  it('succeeds for an allowed address', async () => {
    const result = await buildSender().send(requestTo(`http://127.0.0.2:${port}`));
    expect(result).toEqual({ kind: 'answered', status: 200 });
  });

  it('ignores proxies in the environment', async () => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']) {
      vi.stubEnv(name, 'http://127.0.0.1:1');
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    expect(await buildSender().send(requestTo(`http://127.0.0.2:${port}`))).toMatchObject({
      kind: 'answered',
    });
  });
});

describe('a connection to a name', () => {
  it.each([
    ['a forbidden address', ['127.0.0.1'], 'a loopback address'],
    ['a forbidden address behind an opened one', ['127.0.0.2', '127.0.0.1'], 'a loopback address'],
    [
      'a forbidden address of the other kind',
      ['127.0.0.2', '::1'],
      'an IPv6 address that is not public',
    ],
    ['an address of a cloud', ['169.254.169.254'], 'a link-local address'],
    ['a mapped address', ['::ffff:127.0.0.2'], 'an IPv6 address that is not public'],
  ])('is refused if the name resolves to %s', async (_, addresses, reason) => {
    names.put('mixed.test', always(...addresses));
    expect(await buildSender().send(requestTo(`http://mixed.test:${port}`))).toEqual({
      kind: 'failed',
      reason: `address refused: its name resolves to ${reason}`,
    });
    expect(connections).toEqual([]);
  });

  it('resolves the name once and uses the checked address', async () => {
    names.put('rebinding.test', (kind, nth) =>
      kind === 'A' ? [nth === 0 ? '127.0.0.2' : '127.0.0.1'] : [],
    );
    const result = await buildSender().send(requestTo(`http://rebinding.test:${port}`));
    expect(result).toEqual({ kind: 'answered', status: 200 });
    expect(names.queries('rebinding.test').toSorted()).toEqual(['A', 'AAAA']);
    expect(connections.map(({ localAddress }) => localAddress)).toEqual(['::ffff:127.0.0.2']);
    expect(requests[0]?.headers.host).toBe(`rebinding.test:${port}`);
  });

  it('is checked again when it is old, even if it is in use', async () => {
    names.put('later.test', (kind, nth) =>
      kind === 'A' ? [nth === 0 ? '127.0.0.2' : '127.0.0.1'] : [],
    );
    const sender = buildSender(undefined, 300);
    const request = requestTo(`http://later.test:${port}`);
    const begin = Date.now();
    let result = await sender.send(request);
    expect(result).toMatchObject({ kind: 'answered' });
    while (result.kind === 'answered' && Date.now() - begin < 4_000) {
      await sleep(20);
      result = await sender.send(request);
    }
    expect(result).toMatchObject({ reason: expect.stringMatching(/^address refused: /) });
    expect(requests.length).toBeGreaterThan(1);
    expect(connections).toHaveLength(1);
  });

  it('fails if name servers do not know the name or do not respond', async () => {
    names.put('failing.test', () => 'failure');
    names.put('silent.test', () => 'silence');
    const sender = buildSender();
    expect(await sender.send(requestTo(`http://unknown.test:${port}`))).toEqual({
      kind: 'failed',
      reason: 'connection failed: its name cannot be resolved (ENOTFOUND)',
    });
    expect(await sender.send(requestTo(`http://failing.test:${port}`))).toMatchObject({
      reason: expect.stringMatching(
        /^connection failed: its name cannot be resolved \(ESERVFAIL\)/,
      ),
    });
    expect(await sender.send(requestTo(`http://silent.test:${port}`))).toEqual({
      kind: 'failed',
      reason: 'no connection within the connect timeout',
    });
  });

  it('is established immediately while name servers of other names do not respond', async () => {
    names.put('quick.test', always('127.0.0.2'));
    const sender = buildSender();
    const hung = Array.from({ length: 40 }, (_, index) => {
      names.put(`silent-${index}.test`, () => 'silence');
      return sender.send(requestTo(`http://silent-${index}.test:${port}`));
    });
    // If the connection waited for the others, it would time out.
    expect(await sender.send(requestTo(`http://quick.test:${port}`))).toMatchObject({
      kind: 'answered',
    });
    await Promise.all(hung);
  });

  it('uses the next address when one does not respond', async () => {
    names.put('several.test', always('192.0.2.1', '2001:db8::1', '127.0.0.2'));
    const opened = ['192.0.2.1', '[2001:db8::1]', '127.0.0.2'].map((host) => `${host}:${port}`);
    expect(await buildSender(opened).send(requestTo(`http://several.test:${port}`))).toMatchObject({
      kind: 'answered',
    });
  });

  it('accepts any address of a name that the operator allowed', async () => {
    const result = await buildSender([`localhost:${port}`]).send(
      requestTo(`http://localhost:${port}`),
    );
    expect(result).toEqual({ kind: 'answered', status: 200 });
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('is not followed with status %d', async (status) => {
    names.put('redirecting.test', always('127.0.0.2'));
    answer = { status, headers: { location: `http://127.0.0.1:${port}/latest/meta-data` } };
    const result = await buildSender().send(requestTo(`http://redirecting.test:${port}`));
    expect(result).toEqual({ kind: 'answered', status });
    await sleep(50);
    expect(requests).toHaveLength(1);
  });
});
