import type { Socket } from 'node:net';

/** Forwards bytes between two connections in both directions, and keeps both in `sockets`. */
export function joinSockets(client: Socket, upstream: Socket, sockets: Set<Socket>): void {
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(from);
    from.on('error', () => to.destroy());
    from.pipe(to);
  }
}
