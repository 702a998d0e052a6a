import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { readProxyHeader } from './proxy-header.ts';

/** The longest header of version 1, its line end included. */
const MAX_BYTES = 107;
const TIMEOUT_MS = 5_000;

/**
 * Expects a PROXY protocol header (version 1, one line of text) at the start of each connection, and takes the client's
 * address from it. Only for a listener that nobody but `services/load-balancer` can reach, because the header is trusted.
 */
export function readProxyHeaders(server: Server): void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    awaitHeader(socket, () => {
      for (const listener of listeners) listener.call(server, socket);
    });
  });
}

function awaitHeader(socket: Socket, proceed: () => void): void {
  const destroy = () => socket.destroy();
  socket.setTimeout(TIMEOUT_MS, destroy);
  socket.on('error', destroy);
  socket.on('readable', read);
  let received = Buffer.alloc(0);

  function read(): void {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf('\n') + 1;
    if (end === 0 && received.length < MAX_BYTES) return;
    const address = readProxyHeader(received.toString('latin1', 0, end));
    if (address === undefined) {
      destroy();
      return;
    }
    socket.off('readable', read);
    socket.off('error', destroy);
    socket.off('timeout', destroy);
    socket.setTimeout(0);
    if (address !== null) Object.defineProperty(socket, 'remoteAddress', { value: address });
    if (end < received.length) socket.unshift(received.subarray(end));
    proceed();
    socket.resume();
  }
}
