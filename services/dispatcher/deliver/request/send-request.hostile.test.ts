import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenableGuard } from '../../../../test/support/receivers/target-guard.ts';
import { createUnobservedSender } from '../../../../test/support/receivers/unobserved-sender.ts';
import type { RequestSender } from './send-request.ts';

const MIB = 1024 * 1024;
const TIMEOUT_MS = 600;
/** Long enough for requests to end for a reason other than the deadline, even on a busy machine. */
const PATIENCE_MS = 10_000;

const opened: { close(): unknown }[] = [];
const guard = createOpenableGuard();

afterEach(async () => {
  for (const part of opened.splice(0).reverse()) await part.close();
});

interface Receiver {
  readonly origin: string;
  /** The number of bytes that the sender has read, including buffers of its operating system. */
  taken(): number;
}

/** Starts a receiver that responds to each request with raw bytes. */
async function startReceiver(answer: (socket: Socket) => void): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  guard.open(host);
  return {
    origin: `http://${host}`,
    taken: () =>
      [...sockets].reduce(
        (sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength,
        0,
      ),
  };
}

/** Writes the same bytes repeatedly, up to `most`, while the other side reads them. */
function pour(socket: Socket, bytes: string | Buffer, most = Number.POSITIVE_INFINITY): void {
  let left = most;
  const more = () => {
    while (!socket.destroyed && left > 0) {
      left -= bytes.length;
      if (!socket.write(bytes)) return;
    }
  };
  socket.on('drain', more);
  more();
}

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 10);
  socket.on('close', () => clearInterval(timer));
}

function buildSender(timeoutMs = PATIENCE_MS): RequestSender {
  const limits = { connectTimeoutMs: PATIENCE_MS, timeoutMs, maxRequestsPerHost: 50 };
  const sender = createUnobservedSender({ ...limits, guard });
  opened.push(sender);
  return sender;
}

const send = (origin: string, sender = buildSender()) =>
  sender.send({ origin, path: '/', headers: [], body: Buffer.from('[]') });

const header = `x-filler: ${'y'.repeat(1_000)}\r\n`;
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

const floods: readonly {
  readonly name: string;
  readonly answer: (socket: Socket) => void;
  /** Why the request fails; undefined if status and headers arrive first. */
  readonly reason?: RegExp;
}[] = [
  {
    name: '300 MB of headers',
    answer(socket) {
      socket.write('HTTP/1.1 200 OK\r\n');
      pour(socket, header.repeat(20), 300 * MIB);
    },
    reason: /^answer has too many headers: UND_ERR_HEADERS_OVERFLOW$/,
  },
  {
    name: 'one header of 300 MB',
    answer(socket) {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      pour(socket, 'y'.repeat(65_536), 300 * MIB);
    },
    reason: /^answer has too many headers: UND_ERR_HEADERS_OVERFLOW$/,
  },
  {
    name: 'endless informational responses',
    answer: (socket) => pour(socket, `HTTP/1.1 103 Early Hints\r\n${header}\r\n`.repeat(20)),
    reason: /^answer is too long$/,
  },
  {
    name: 'endless 100 Continue',
    answer: (socket) => pour(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)),
    reason: /^connection failed: /,
  },
  {
    name: 'endless trailers',
    answer(socket) {
      socket.write(`${chunked}0\r\n`);
      pour(socket, header.repeat(20));
    },
  },
  {
    name: 'a status line without end',
    answer(socket) {
      socket.write('HTTP/1.1 200 ');
      pour(socket, 'y'.repeat(65_536));
    },
    reason: /^answer is too long$/,
  },
  {
    name: 'a chunk extension without end',
    answer(socket) {
      socket.write(`${chunked}5;`);
      pour(socket, 'y'.repeat(65_536));
    },
  },
  {
    name: 'empty lines without end',
    answer: (socket) => pour(socket, '\r\n'.repeat(30_000)),
    reason: /^answer is too long$/,
  },
];

describe('a flood', () => {
  it.each(floods)(
    'ends the request without being read completely: $name',
    async ({ answer, reason }) => {
      const { origin, taken } = await startReceiver(answer);
      const result = await send(origin);
      expect(result).toEqual(
        reason === undefined
          ? { kind: 'answered', status: 200 }
          : { kind: 'failed', reason: expect.stringMatching(reason) },
      );
      expect(taken()).toBeLessThan(12 * MIB);
    },
  );

  it('does not exhaust memory when many receivers send one', async () => {
    const { origin } = await startReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      pour(socket, Buffer.alloc(65_536));
    });
    const sender = buildSender();
    await send(origin, sender);
    const before = process.memoryUsage();
    for (let round = 0; round < 10; round++) {
      const results = await Promise.all(Array.from({ length: 40 }, () => send(origin, sender)));
      expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['answered']));
    }
    const { heapUsed, external } = process.memoryUsage();
    expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan(64 * MIB);
  });
});

describe('a slow response', () => {
  const endless = { kind: 'failed', reason: `no complete answer within ${TIMEOUT_MS} ms` };
  const accepted = { kind: 'answered', status: 200 };

  it.each([
    ['the status line', 'H'.padEnd(1), '', endless],
    ['headers', 'x: y\r\n', 'HTTP/1.1 200 OK\r\n', endless],
    ['the body', 'x', 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', accepted],
    ['chunks', '1\r\nx\r\n', chunked, accepted],
    ['trailers', 'x: y\r\n', `${chunked}0\r\n`, accepted],
  ])('ends at the deadline: %s', async (_, text, start, expected) => {
    const { origin } = await startReceiver((socket) => {
      if (start === '') socket.write('HTTP/1.1 200 ');
      socket.write(start);
      drip(socket, text);
    });
    const result = await send(origin, buildSender(TIMEOUT_MS));
    expect(result).toEqual(expected);
  });
});

describe('a compressed response', () => {
  it('is never decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(30 * MIB));
    expect(bomb.length).toBeLessThan(64 * 1024);
    const { origin, taken } = await startReceiver((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`,
      );
      socket.write(bomb);
    });
    const before = process.memoryUsage();
    expect(await send(origin)).toEqual({ kind: 'answered', status: 200 });
    const { heapUsed, external } = process.memoryUsage();
    expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan(8 * MIB);
    expect(taken()).toBeGreaterThan(bomb.length);
  });
});
