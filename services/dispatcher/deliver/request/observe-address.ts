import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

interface SentHeaders {
  readonly request: { readonly body: object | null };
  readonly socket: Socket;
}

const listeners = new WeakMap<object, (address: string) => void>();

/** No other hook of undici tells which connection a request used. */
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as SentHeaders;
  if (request.body === null || socket.remoteAddress === undefined) return;
  listeners.get(request.body)?.(socket.remoteAddress);
});

/** Reports the address that the request with this very Buffer is sent to, if it is sent at all. */
export function observeAddress(body: Buffer, onAddress: (address: string) => void): void {
  listeners.set(body, onAddress);
}
