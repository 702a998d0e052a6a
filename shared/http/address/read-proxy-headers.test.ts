import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toProxyHeader } from './proxy-header.ts';
import { readProxyHeaders } from './read-proxy-headers.ts';

const header = 'PROXY TCP4 192.0.2.7 127.0.0.1 40000 8080\r\n';
const server = createServer((request, response) => {
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  request.on('end', () => response.end(`${request.socket.remoteAddress} ${length};`));
});
readProxyHeaders(server, { proxyProtocol: 'true', secretKey: '' });
let socket: Socket;
let answer = '';

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  answer = '';
  socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
});

afterEach(async () => {
  socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const post = (length: number) =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${'b'.repeat(length)}`;
const answers = () => answer.match(/[\da-f.:]+ \d+;/g) ?? [];
const until = async (count: number) => {
  while (answers().length < count) await sleep(5);
  return answers();
};

describe('a connection with a PROXY header', () => {
  it('uses the client address from the header for all of its requests', async () => {
    socket.write(header + post(3));
    expect(await until(1)).toEqual(['192.0.2.7 3;']);
    socket.write(post(500_000));
    expect(await until(2)).toEqual(['192.0.2.7 3;', '192.0.2.7 500000;']);
  });

  it('accepts a header that arrives in pieces, before or together with a large request', async () => {
    for (const piece of ['PRO', header.slice(3, -1), '\n']) {
      socket.write(piece);
      await sleep(10);
    }
    socket.write(post(1));
    expect(await until(1)).toEqual(['192.0.2.7 1;']);
  });

  it('keeps the order of bytes that arrive with the header', async () => {
    socket.write(header + post(300_000));
    socket.write(post(7));
    expect(await until(2)).toEqual(['192.0.2.7 300000;', '192.0.2.7 7;']);
  });

  it('keeps the socket address if the header has none', async () => {
    socket.write(`PROXY UNKNOWN\r\n${post(1)}`);
    expect(await until(1)).toEqual(['127.0.0.1 1;']);
  });
});

describe('a connection without a PROXY header', () => {
  it.each([
    post(1),
    'PROXY TCP4\r\n',
    'x'.repeat(200),
    '\r\n',
    'PROXY TCP4 somewhere 127.0.0.1 1 2\r\n',
    'PROXY TCP4 300.0.0.1 127.0.0.1 1 2\r\n',
    'PROXY TCP4 ::1 ::1 1 2\r\n',
    'PROXY TCP6 192.0.2.7 127.0.0.1 1 2\r\n',
    'PROXY TCP4 192.0.2.7 127.0.0.1 1 99999\r\n',
  ])('is closed in case %#', async (bytes) => {
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => {});
    socket.write(bytes);
    await closed;
    expect(answer).toBe('');
  });
});

it('writes both ends of a connection into the PROXY header', () => {
  const ends = { remotePort: 1, localPort: 2 };
  expect(
    toProxyHeader({ ...ends, remoteAddress: '192.0.2.7', localAddress: '127.0.0.1' } as Socket),
  ).toBe('PROXY TCP4 192.0.2.7 127.0.0.1 1 2\r\n');
  expect(toProxyHeader({ ...ends, remoteAddress: '::1', localAddress: '::1' } as Socket)).toBe(
    'PROXY TCP6 ::1 ::1 1 2\r\n',
  );
  expect(toProxyHeader({ ...ends, remoteAddress: '::1', localAddress: '1.2.3.4' } as Socket)).toBe(
    'PROXY UNKNOWN\r\n',
  );
});
