import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

interface SentHeaders {
  readonly request: { readonly body: object | null };
  readonly socket: Socket;
}

const listeners = new WeakMap<object, (address: string) => void>();

/** undici tells nowhere else which connection a request went over. */
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as SentHeaders;
  if (request.body === null || socket.remoteAddress === undefined) return;
  listeners.get(request.body)?.(socket.remoteAddress);
});

/** Tells the address that the request with this very body is sent to, if it comes so far. */
export function observeAddress(body: Buffer, onAddress: (address: string) => void): void {
  listeners.set(body, onAddress);
}
