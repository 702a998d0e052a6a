import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddressGuard, parseAllowedTarget } from '../../../../shared/net/address-guard.ts';
import { createGuardedConnector, type Lookup } from './guarded-connector.ts';

let server: Server;
let port: number;
let received = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    received += 1;
    response.end('here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

/** Requests with a guard that opens these targets, where names resolve as the test says. */
async function ask(url: string, opened: readonly string[], lookup: Lookup, timeoutMs = 500) {
  const guard = createAddressGuard(
    opened.flatMap((entry) => parseAllowedTarget(entry) ?? []),
    [],
  );
  const agent = new Agent({ connect: createGuardedConnector({ guard, timeoutMs, lookup }) });
  try {
    const { statusCode, body } = await request(url, { dispatcher: agent });
    return `${statusCode} ${await body.text()}`;
  } catch (error) {
    return Object(error).code;
  } finally {
    await agent.destroy();
  }
}

describe('a connection', () => {
  it('goes to the very address that was judged, resolved once', async () => {
    let lookups = 0;
    const lookup = async () => {
      lookups += 1;
      // A name server that answers otherwise the second time.
      return lookups === 1 ? ['127.0.0.1'] : ['169.254.169.254'];
    };
    expect(await ask(`http://hook.example:${port}/`, [`127.0.0.1:${port}`], lookup)).toBe(
      '200 here',
    );
    expect(lookups).toBe(1);
  });

  it.each([
    ['an internal address', ['127.0.0.1']],
    ['an internal address beside a public one', ['8.8.8.8', '127.0.0.1']],
    ['the address of a metadata service', ['169.254.169.254']],
    ['an internal address of IPv6', ['::1']],
    ['an internal address dressed as IPv6', ['::ffff:127.0.0.1']],
    ['no address at all', []],
  ])('is not made to a name with %s', async (_what, addresses) => {
    const before = received;
    expect(await ask(`http://hook.example:${port}/`, [], async () => addresses)).toBe(
      'address refused',
    );
    expect(received).toBe(before);
  });

  it.each(['127.0.0.1', '[::1]', '0x7f.1'])('is not made to %s itself', async (host) => {
    const lookup = async () => {
      throw new Error('an address is no name');
    };
    expect(await ask(`http://${host}:${port}/`, [], lookup)).toBe('address refused');
  });

  it('tries the next address when one does not answer', async () => {
    const opened = ['127.0.0.0/8', '[::1]'];
    const lookup = async () => ['::1', '127.0.0.1'];
    expect(await ask(`http://hook.example:${port}/`, opened, lookup)).toBe('200 here');
  });

  it('is given up when the name server takes too long', async () => {
    const never = async () => new Promise<readonly string[]>(() => {});
    expect(await ask(`http://hook.example:${port}/`, [], never, 50)).toBe(
      'UND_ERR_CONNECT_TIMEOUT',
    );
  });
});
