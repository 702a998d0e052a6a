import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpSettings } from '../../config/http-settings.ts';
import {
  createProxySignature,
  MAX_PROXY_HEADER_BYTES,
  type ProxySignature,
  readProxyHeader,
} from './proxy-header.ts';

const TIMEOUT_MS = 5_000;

/**
 * Expects a PROXY protocol header (version 1, one line of text) at the start of each connection, and uses the client
 * address in it. With `signed`, accepts only headers signed by the load balancer of `npm start`. With `true`, only a
 * trusted load balancer must be able to reach the listener.
 */
export function readProxyHeaders(
  server: Server,
  {
    proxyProtocol,
    secretKey,
  }: { readonly proxyProtocol: HttpSettings['proxyProtocol']; readonly secretKey: string },
): void {
  if (proxyProtocol === 'false') return;
  const signature = proxyProtocol === 'signed' ? createProxySignature(secretKey) : undefined;
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    awaitHeader(socket, signature, () => {
      for (const listener of listeners) listener.call(server, socket);
    });
  });
}

function awaitHeader(
  socket: Socket,
  signature: ProxySignature | undefined,
  proceed: () => void,
): void {
  const destroy = () => socket.destroy();
  socket.setTimeout(TIMEOUT_MS, destroy);
  socket.on('error', destroy);
  socket.on('readable', read);
  let received = Buffer.alloc(0);

  function read(): void {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    received = Buffer.concat([received, chunk]);
    if (!isComplete(received)) return;
    const text = received.toString('latin1', 0, MAX_PROXY_HEADER_BYTES);
    const header = readProxyHeader(text, signature);
    if (header === undefined) {
      destroy();
      return;
    }
    socket.off('readable', read);
    socket.off('error', destroy);
    socket.off('timeout', destroy);
    socket.setTimeout(0);
    const { address, length } = header;
    if (address !== null) Object.defineProperty(socket, 'remoteAddress', { value: address });
    if (length < received.length) socket.unshift(received.subarray(length));
    proceed();
    socket.resume();
  }
}

/** Returns true if the complete header line has arrived. A signature line may precede it. */
function isComplete(received: Buffer): boolean {
  if (received.length >= MAX_PROXY_HEADER_BYTES) return true;
  const first = received.indexOf('\n');
  const isSigned = received.toString('latin1', 0, 7) === 'ANNALS ';
  return isSigned ? received.indexOf('\n', first + 1) > first && first >= 0 : first >= 0;
}
