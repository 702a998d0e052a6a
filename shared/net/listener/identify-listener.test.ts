import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { identifyListener } from './identify-listener.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server) {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { host: '127.0.0.1', port };
}

/** Responds to the first bytes of each connection with `bytes`, and closes it. */
const responding = (bytes: Buffer): Server =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });

it('recognizes an HTTP server', async () => {
  const place = await listen(createHttpServer((_request, response) => response.end()));
  expect(await identifyListener(place)).toEqual({ kind: 'http', tls: false });
});

it('recognizes Postgres by its error', async () => {
  const error = Buffer.from('E\0\0\0\x20SFATAL\0Munsupported protocol\0\0');
  expect(await identifyListener(await listen(responding(error)))).toEqual({
    kind: 'postgres',
    tls: false,
  });
});

it('reads the mechanisms of a Kafka broker', async () => {
  const place = await listen(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (sent) => {
        const versions = Buffer.concat([sent.subarray(8, 12), Buffer.alloc(6)]);
        const second = 4 + sent.readInt32BE(0);
        const list = Buffer.from('\0\x21\0\0\0\x02\0\x05PLAIN\0\x0dSCRAM-SHA-512', 'latin1');
        const handshake = Buffer.concat([sent.subarray(second + 8, second + 12), list]);
        const sized = [versions, handshake].map((body) => {
          const size = Buffer.alloc(4);
          size.writeInt32BE(body.length);
          return Buffer.concat([size, body]);
        });
        socket.write(Buffer.concat(sized));
      });
    }),
  );
  expect(await identifyListener(place)).toEqual({
    kind: 'kafka',
    tls: false,
    mechanisms: ['PLAIN', 'SCRAM-SHA-512'],
  });
});

it('does not guess the protocol of a server that closes the connection', async () => {
  const place = await listen(responding(Buffer.alloc(0)));
  expect(await identifyListener(place)).toMatchObject({ kind: 'silent' });
});

it('returns the reason why a port is unreachable', async () => {
  const server = createServer();
  const place = await listen(server);
  server.close();
  expect(await identifyListener(place)).toEqual({ kind: 'unreachable', code: 'ECONNREFUSED' });
});
