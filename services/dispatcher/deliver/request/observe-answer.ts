import { subscribe } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

/** The part of the response that had arrived when the request ended. */
export interface ObservedAnswer {
  /** Names and values alternate. */
  readonly headers: readonly string[];
  /** The first 16 KiB of the body. */
  readonly body: Buffer;
  /** The receiver's address; null if no connection was made. */
  readonly address: string | null;
  /** Milliseconds until the request was written; null if it was not written. */
  readonly connectMs: number | null;
  /** Milliseconds until the status arrived; null if it did not arrive. */
  readonly firstByteMs: number | null;
}

const MAX_BODY_BYTES = 16 * 1024;
const MAX_HEADERS_LENGTH = 8 * 1024;

/** Starts measuring and collecting a response. */
export function observeAnswer() {
  const begin = performance.now();
  let connectMs: number | null = null;
  let firstByteMs: number | null = null;
  let address: string | null = null;
  let headers: readonly string[] = [];
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    started(): void {
      connectMs = Math.round(performance.now() - begin);
    },
    sentTo(remoteAddress: string): void {
      address = remoteAddress;
    },
    answered(received: IncomingHttpHeaders): void {
      firstByteMs = Math.round(performance.now() - begin);
      headers = flatten(received);
    },
    received(chunk: Buffer): void {
      const part = chunk.subarray(0, MAX_BODY_BYTES - bytes);
      bytes += part.length;
      if (part.length > 0) chunks.push(part);
    },
    observed: (): ObservedAnswer => ({
      headers,
      body: Buffer.concat(chunks),
      address,
      connectMs,
      firstByteMs,
    }),
  };
}

function flatten(headers: IncomingHttpHeaders): readonly string[] {
  const flat: string[] = [];
  let length = 0;
  for (const [name, value = ''] of Object.entries(headers)) {
    for (const one of [value].flat()) {
      length += name.length + one.length;
      if (length > MAX_HEADERS_LENGTH) return flat;
      // A cookie may be a credential.
      flat.push(name, name === 'set-cookie' ? '(hidden)' : one);
    }
  }
  return flat;
}

interface SentHeaders {
  readonly request: { readonly body: object | null };
  readonly socket: Socket;
}

const listeners = new WeakMap<object, (address: string) => void>();

/** No other hook in undici exposes the connection of a request. */
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as SentHeaders;
  if (request.body === null || socket.remoteAddress === undefined) return;
  listeners.get(request.body)?.(socket.remoteAddress);
});

/** Calls `onAddress` with the receiver's address when a request is sent whose body is exactly this Buffer object. */
export function observeAddress(body: Buffer, onAddress: (address: string) => void): void {
  listeners.set(body, onAddress);
}
