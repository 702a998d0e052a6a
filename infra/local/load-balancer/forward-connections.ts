import { createServer, type Server, type Socket } from 'node:net';
import { type ProxySignature, toProxyHeader } from '../../../shared/http/address/proxy-header.ts';
import type { ApiTarget } from './target.ts';

/** The response to clients that connect while no api process accepts connections. */
const unavailable = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: application/json',
  'Retry-After: 1',
  'X-Content-Type-Options: nosniff',
  'X-Status-Reason: No api process is available.',
  'Content-Length: 71',
  'Connection: close',
  '',
  '{"message":"No api process is available.","code":"service.unavailable"}',
].join('\r\n');

/**
 * Returns a server that forwards each connection to the api process with the fewest connections, so that several
 * processes share one port. A PROXY header carries the client's address. A process that refuses the connection is
 * skipped without the client noticing. If no process is ready, one that is not ready is used; if all are silent, a
 * silent one is used.
 */
export function forwardConnections(
  targets: readonly ApiTarget[],
  signature: ProxySignature,
): Server {
  return createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (client) => {
    client.on('error', () => client.destroy());
    void join(client, targets, signature);
  });
}

async function join(
  client: Socket,
  targets: readonly ApiTarget[],
  signature: ProxySignature,
): Promise<void> {
  const upstream = await connectToAny(targets);
  if (upstream === undefined) {
    client.end(unavailable);
    client.resume();
    return;
  }
  upstream.on('error', () => client.resetAndDestroy());
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.destroy());
  const header = toProxyHeader(client);
  upstream.write(signature.sign(header) + header);
  client.pipe(upstream);
  upstream.pipe(client);
}

async function connectToAny(targets: readonly ApiTarget[]): Promise<Socket | undefined> {
  const alive = targets.filter(({ isAlive }) => isAlive);
  const inOrder = (alive.length > 0 ? alive : targets).toSorted(
    (one, other) => Number(other.isReady) - Number(one.isReady) || one.load - other.load,
  );
  for (const target of inOrder) {
    const socket = await target.connect();
    if (socket !== undefined) return socket;
  }
  return undefined;
}
