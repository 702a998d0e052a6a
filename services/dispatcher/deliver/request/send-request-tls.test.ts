import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Certificate,
  createAuthority,
  createSelfSigned,
} from '../../../../test/support/receivers/certificates.ts';
import {
  type NameServer,
  startNameServer,
} from '../../../../test/support/receivers/name-server.ts';
import { createOpenableGuard } from '../../../../test/support/receivers/target-guard.ts';
import { createUnobservedSender } from '../../../../test/support/receivers/unobserved-sender.ts';

const trusted = getCACertificates('default');
const opened: { close(): unknown }[] = [];
let authority: Awaited<ReturnType<typeof createAuthority>>;
let names: NameServer;
let requests = 0;

beforeAll(async () => {
  authority = await createAuthority();
  setDefaultCACertificates([...trusted, authority.cert]);
  names = await startNameServer();
  names.put('hooks.test', (kind) => (kind === 'A' ? ['127.0.0.1'] : []));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  requests = 0;
  for (const part of opened.splice(0).reverse()) await part.close();
});

afterAll(async () => {
  setDefaultCACertificates(trusted);
  await names.close();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({ close: () => server.close() });
  return (server.address() as AddressInfo).port;
}

/** SNI, ALPN and Host of the requests that arrive. */
const seen: unknown[] = [];

const startReceiver = (certificate: Certificate) =>
  listen(
    createServer(certificate, (request, response) => {
      requests += 1;
      const { servername, alpnProtocol } = request.socket as unknown as Record<string, unknown>;
      seen.push({ servername, alpnProtocol, host: request.headers.host });
      response.end();
    }),
  );

async function sendTo(origin: string, port: number) {
  const guard = createOpenableGuard([names.address]);
  guard.open(`127.0.0.0/8:${port}`);
  const sender = createUnobservedSender({
    connectTimeoutMs: 500,
    timeoutMs: 3_000,
    maxRequestsPerHost: 2,
    guard,
  });
  opened.push(sender);
  return sender.send({ origin, path: '/', headers: [], body: Buffer.from('[]') });
}

describe('a request over TLS', () => {
  it('uses HTTP/1.1 and the name for SNI, certificate and Host', async () => {
    const port = await startReceiver(await authority.issue('hooks.test'));
    for (const name of ['hooks.test', 'hooks.test.']) {
      expect(await sendTo(`https://${name}:${port}`, port)).toEqual({
        kind: 'answered',
        status: 200,
      });
    }
    expect(seen).toEqual([
      { servername: 'hooks.test', alpnProtocol: 'http/1.1', host: `hooks.test:${port}` },
      { servername: 'hooks.test', alpnProtocol: 'http/1.1', host: `hooks.test.:${port}` },
    ]);
  });

  it.each([
    ['for another name', () => authority.issue('other.test'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that has expired', () => authority.issueExpired('hooks.test'), 'CERT_HAS_EXPIRED'],
    ['that is self-signed', () => createSelfSigned('hooks.test'), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('fails for a certificate %s', async (_, create, code) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const port = await startReceiver(await create());
    expect(await sendTo(`https://hooks.test:${port}`, port)).toEqual({
      kind: 'failed',
      reason: `connection failed: ${code}`,
    });
    expect(requests).toBe(0);
  });

  it('fails when the URL contains an address but the certificate is for a name', async () => {
    const port = await startReceiver(await authority.issue('hooks.test'));
    expect(await sendTo(`https://127.0.0.1:${port}`, port)).toMatchObject({
      reason: 'connection failed: ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  it('fails when the server does not use TLS or does not respond', async () => {
    const deaf = await listen(createTcpServer());
    expect(await sendTo(`https://hooks.test:${deaf}`, deaf)).toMatchObject({
      reason: 'no connection within the connect timeout',
    });
    const plain = await listen(createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')));
    expect(await sendTo(`https://hooks.test:${plain}`, plain)).toMatchObject({
      reason: expect.stringMatching(/^connection failed: /),
    });
  });
});
