import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createProxySignature, readProxyHeader } from './proxy-header.ts';
import { readProxyHeaders } from './read-proxy-headers.ts';

const secretKey = 'ab'.repeat(32);
const header = 'PROXY TCP4 192.0.2.7 127.0.0.1 40000 8080\r\n';
const request = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('a signed PROXY header', () => {
  const sentAt = Date.UTC(2030, 0, 1);
  const at = (timeMs: number, key = secretKey) => createProxySignature(key, () => timeMs);
  const signed = at(sentAt).sign(header) + header;

  it('is accepted from a load balancer with the installation key', () => {
    const read = readProxyHeader(`${signed}GET / HTTP/1.1`, at(sentAt + 60_000));
    expect(read).toEqual({ address: '192.0.2.7', length: signed.length });
    expect(readProxyHeader(signed)?.address).toBe('192.0.2.7');
  });

  it.each([
    ['without a signature', header],
    ['with the signature of another key', at(sentAt, 'cd'.repeat(32)).sign(header) + header],
    ['with the signature of another header', signed.replace('192.0.2.7', '192.0.2.8')],
    ['with an old signature', at(sentAt - 600_000).sign(header) + header],
    ['of an unknown client without a signature', 'PROXY UNKNOWN\r\n'],
  ])('is rejected %s', (_, text) => {
    expect(readProxyHeader(text, at(sentAt))).toBeUndefined();
  });
});

it('closes unsigned connections and accepts a signed header that arrives in pieces', async () => {
  const guarded = createServer(({ socket }, response) => response.end(socket.remoteAddress));
  readProxyHeaders(guarded, { proxyProtocol: 'signed', secretKey });
  await new Promise<void>((resolve) => guarded.listen(0, '127.0.0.1', resolve));
  const { port } = guarded.address() as AddressInfo;
  const forged = connect({ port, host: '127.0.0.1' });
  forged.on('error', () => {});
  forged.write(header + request);
  expect(await text(forged)).toBe('');
  const balancer = connect({ port, host: '127.0.0.1' });
  const sent = createProxySignature(secretKey).sign(header) + header;
  for (const piece of [sent.slice(0, 3), sent.slice(3, 95), sent.slice(95)]) {
    balancer.write(piece);
    await sleep(10);
  }
  balancer.write(request);
  expect(await text(balancer)).toContain('192.0.2.7');
  guarded.close();
});
