import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, test } from 'vitest';
import { createOpenableGuard } from '../../../../test/support/receivers/target-guard.ts';
import { createUnobservedSender } from '../../../../test/support/receivers/unobserved-sender.ts';
import { createConnectionGroups, createRequestSender, type RequestSender } from './send-request.ts';

const guard = createOpenableGuard();
const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const part of opened.splice(0).reverse()) await part.close();
});

function buildSender(timeoutMs = 400, maxRequestsPerHost = 10): RequestSender {
  const options = { connectTimeoutMs: 300, timeoutMs, maxRequestsPerHost, guard };
  const sender = createUnobservedSender(options);
  opened.push(sender);
  return sender;
}

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  opened.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  guard.open(host);
  return `http://${host}`;
}

const startReceiver = (answer: (response: ServerResponse, body: string) => void) =>
  listen(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => answer(response, Buffer.concat(chunks).toString()));
    }),
  );

const startRawReceiver = (answer: (socket: Socket) => void) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    }),
  );

const requestTo = (origin: string) => ({
  origin,
  path: '/hook?a=b',
  headers: ['Content-Type', 'application/json', 'X-Webhook-Id', 'w1'],
  body: Buffer.from('[{"id":"1"}]'),
});

describe('a request', () => {
  it('is a POST with exactly the given bytes and headers', async () => {
    const seen: unknown[] = [];
    const origin = await startReceiver((response, body) => {
      const { method, url, headers } = response.req;
      seen.push({ method, url, body, type: headers['content-type'], id: headers['x-webhook-id'] });
      response.end('fine');
    });
    expect(await buildSender().send(requestTo(origin))).toEqual({ kind: 'answered', status: 200 });
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/hook?a=b',
        body: '[{"id":"1"}]',
        type: 'application/json',
        id: 'w1',
      },
    ]);
  });

  it.each([204, 301, 302, 307, 308, 400, 410, 500])(
    'returns status %d and does not follow redirects',
    async (status) => {
      let requests = 0;
      const origin = await startReceiver((response) => {
        requests += 1;
        response.writeHead(status, { location: '/elsewhere' }).end();
      });
      expect(await buildSender().send(requestTo(origin))).toEqual({ kind: 'answered', status });
      expect(requests).toBe(1);
    },
  );

  it('skips informational responses', async () => {
    const origin = await startRawReceiver((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(50));
      socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n');
    });
    expect(await buildSender().send(requestTo(origin))).toEqual({ kind: 'answered', status: 202 });
  });

  it('reuses connections', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end());
    server.on('connection', () => {
      connections += 1;
    });
    const origin = await listen(server);
    const sender = buildSender();
    for (let index = 0; index < 5; index++) await sender.send(requestTo(origin));
    // undici frees a connection a moment after the response ends, so it may open a second one.
    expect(connections).toBeLessThanOrEqual(2);
  });
});

describe('the deadline', () => {
  it('ends a request whose receiver hangs', async () => {
    const origin = await startReceiver(() => undefined);
    const result = await buildSender().send(requestTo(origin));
    expect(result).toEqual({ kind: 'failed', reason: 'no complete answer within 400 ms' });
  });

  it('ends a request whose headers arrive slowly', async () => {
    const origin = await startRawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await buildSender().send(requestTo(origin))).toMatchObject({
      kind: 'failed',
      reason: 'no complete answer within 400 ms',
    });
  });

  it('includes the wait for a connection', async () => {
    const origin = await startReceiver(() => undefined);
    const sender = buildSender(1_500, 1);
    const begin = Date.now();
    const results = await Promise.all([
      sender.send(requestTo(origin)),
      sender.send(requestTo(origin)),
    ]);
    expect(results.map(({ kind }) => kind)).toEqual(['failed', 'failed']);
    expect(Date.now() - begin).toBeLessThan(2 * 1_500);
  });

  it('closes the connection so that the next request opens a new one', async () => {
    let hang = true;
    const origin = await startReceiver((response) => {
      if (!hang) response.end();
    });
    const sender = buildSender(400, 1);
    await sender.send(requestTo(origin));
    hang = false;
    expect(await sender.send(requestTo(origin))).toEqual({ kind: 'answered', status: 200 });
  });
});

describe('a response', () => {
  it('is classified by its status after 64 KiB of an endless body', async () => {
    let written = 0;
    const origin = await startReceiver((response) => {
      response.on('error', () => undefined);
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) written += 16_384;
      };
      response.on('drain', pour);
      pour();
    });
    const begin = Date.now();
    expect(await buildSender(5_000).send(requestTo(origin))).toEqual({
      kind: 'answered',
      status: 200,
    });
    expect(Date.now() - begin).toBeLessThan(5_000);
    await sleep(200);
    const afterwards = written;
    await sleep(200);
    expect(written).toBe(afterwards);
  });

  it.each([
    ['breaks off', 'content-length: 100\r\n\r\nabc'],
    ['breaks off before its first byte', 'content-length: 100\r\n\r\n'],
    ['breaks off in a chunk', 'transfer-encoding: chunked\r\n\r\n5\r\nab'],
    ['breaks off before the last chunk', 'transfer-encoding: chunked\r\n\r\n1\r\na\r\n'],
    ['has a malformed chunk', 'transfer-encoding: chunked\r\n\r\nzz\r\nabc'],
    ['is longer than its length', 'content-length: 1\r\n\r\nabc'],
  ])('is classified by its status if its body %s', async (_, rest) => {
    for (const status of [200, 204, 299, 410, 503]) {
      const origin = await startRawReceiver((socket) =>
        socket.end(`HTTP/1.1 ${status} Some\r\n${rest}`),
      );
      expect(await buildSender().send(requestTo(origin))).toEqual({ kind: 'answered', status });
    }
  });

  it('keeps its Retry-After if its body breaks off', async () => {
    const origin = await startRawReceiver((socket) =>
      socket.end('HTTP/1.1 503 Busy\r\nretry-after: 7\r\ncontent-length: 9\r\n\r\nx'),
    );
    const sender = createRequestSender({
      connectTimeoutMs: 300,
      timeoutMs: 400,
      maxRequestsPerHost: 1,
      guard,
    });
    opened.push(sender);
    const result = await sender.send(requestTo(origin));
    expect(result.observed?.headers).toEqual(expect.arrayContaining(['retry-after', '7']));
  });

  it('counts as a failure with only an informational status', async () => {
    const origin = await startRawReceiver((socket) =>
      socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'),
    );
    expect(await buildSender().send(requestTo(origin))).toMatchObject({ kind: 'failed' });
  });

  it.each([
    ['garbage', 'GARBAGE\r\n\r\n', /^answer is not HTTP: /],
    ['a wrong status', 'HTTP/1.1 abc\r\n\r\n', /^answer is not HTTP: /],
    ['nothing', '', /^connection failed: /],
    [
      'headers without end',
      `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`,
      /^answer has too many headers: UND_ERR_HEADERS_OVERFLOW$/,
    ],
  ])('counts as a failure if it is malformed: %s', async (_, text, reason) => {
    const origin = await startRawReceiver((socket) => socket.end(text));
    const result = await buildSender().send(requestTo(origin));
    expect(result).toEqual({ kind: 'failed', reason: expect.stringMatching(reason) });
  });
});

describe('a connection', () => {
  it('counts as a failure when the receiver refuses it', async () => {
    const origin = await startReceiver(() => undefined);
    for (const part of opened.splice(0)) await part.close();
    expect(await buildSender().send(requestTo(origin))).toEqual({
      kind: 'failed',
      reason: 'connection failed: ECONNREFUSED',
    });
  });

  it('counts as a failure when the name does not exist', async () => {
    const result = await buildSender(3_000).send(requestTo('https://nowhere.invalid'));
    expect(result).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/^connection failed: its name cannot be resolved|^no c/),
    });
  });

  it('is not opened for invalid headers', async () => {
    const request = { ...requestTo('http://127.0.0.1:9'), headers: ['x', 'a\r\nb'] };
    expect(await buildSender().send(request)).toMatchObject({ kind: 'failed' });
  });
});

test('requests to an origin use the first group with a free place', () => {
  const groups = createConnectionGroups(2);
  const enter = () => groups.enter('https://a.example');
  expect([enter(), enter(), enter(), enter(), enter()]).toEqual([0, 0, 1, 1, 2]);
  groups.leave('https://a.example', 1);
  groups.leave('https://a.example', 0);
  expect([enter(), enter(), enter(), enter()]).toEqual([0, 1, 2, 3]);
});

test('each origin has its own groups, which are numbered from 0 again when idle', () => {
  const groups = createConnectionGroups(1);
  expect([groups.enter('https://a.example'), groups.enter('https://b.example')]).toEqual([0, 0]);
  groups.leave('https://a.example', 0);
  expect([groups.enter('https://a.example'), groups.enter('https://a.example')]).toEqual([0, 1]);
});
