import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/**
 * The server at an address. `kafka`: `mechanisms` are the SASL mechanisms that it offers; empty if it does not use
 * SASL. `silent`: it accepts the connection but sends nothing recognizable.
 */
export type Listener =
  | { readonly kind: 'kafka'; readonly tls: boolean; readonly mechanisms: readonly string[] }
  | { readonly kind: 'postgres' | 'http' | 'silent'; readonly tls: boolean }
  | { readonly kind: 'unreachable'; readonly code: string };

export interface Place {
  readonly host: string;
  readonly port: number;
}

const WITHIN_MS = 1_500;
const MAX_BYTES = 64 * 1024;

/**
 * Sends a Kafka client's first requests, first unencrypted and then over TLS: every common server reveals its protocol
 * in its response. Sends no credentials and does not verify certificates.
 */
export async function identifyListener(place: Place): Promise<Listener> {
  const plain = await probe(place, false);
  if (plain.kind !== 'silent') return plain;
  const secured = await probe(place, true);
  return secured.kind === 'unreachable' ? plain : secured;
}

function probe(place: Place, tls: boolean): Promise<Listener> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const open = (): Socket =>
      tls
        ? connectSecurely({ ...place, rejectUnauthorized: false }, send)
        : connect({ ...place }, send);
    const socket = open();
    const finish = (listener: Listener | undefined): void => {
      socket.destroy();
      resolve(listener ?? { kind: 'silent', tls: false });
    };
    let isConnected = false;
    function send(): void {
      isConnected = true;
      socket.write(firstRequests);
    }
    socket.setTimeout(WITHIN_MS, () => finish(recognize(received, tls)));
    socket.on('close', () => finish(recognize(received, tls)));
    socket.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : error.message;
      finish(isConnected || tls ? recognize(received, tls) : { kind: 'unreachable', code });
    });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const listener = recognize(received, tls);
      const isComplete = listener?.kind !== 'kafka' || readMechanisms(received) !== undefined;
      if ((listener !== undefined && isComplete) || received.length > MAX_BYTES) finish(listener);
    });
  });
}

/** Returns undefined if the bytes are not recognizable, or not sufficient yet. */
function recognize(received: Buffer, tls: boolean): Listener | undefined {
  if (received.subarray(0, 5).toString('latin1') === 'HTTP/') return { kind: 'http', tls };
  // Postgres parses this as an unknown protocol version and responds with an error, whose type is E.
  if (received[0] === 0x45 && received.length > 5) return { kind: 'postgres', tls };
  const isKafka = received.length >= 8 && received.readInt32BE(4) === ids.versions;
  if (isKafka) return { kind: 'kafka', tls, mechanisms: readMechanisms(received) ?? [] };
  return undefined;
}

const ids = { versions: 0x616e6e31, handshake: 0x616e6e32 };

const firstRequests = Buffer.concat([
  encodeRequest({ key: 18, version: 0, id: ids.versions }, Buffer.alloc(0)),
  encodeRequest({ key: 17, version: 1, id: ids.handshake }, encodeText('NONE')),
]);

function encodeText(text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeInt16BE(text.length);
  return Buffer.concat([length, Buffer.from(text)]);
}

/** Encodes the size, API key, version, correlation id, a null client id, and the body. */
function encodeRequest(
  { key, version, id }: Readonly<Record<'key' | 'version' | 'id', number>>,
  body: Buffer,
): Buffer {
  const head = Buffer.alloc(14);
  head.writeInt32BE(10 + body.length);
  head.writeInt16BE(key, 4);
  head.writeInt16BE(version, 6);
  head.writeInt32BE(id, 8);
  head.writeInt16BE(-1, 12);
  return Buffer.concat([head, body]);
}

/**
 * Returns the mechanisms in the response to the handshake with an unknown mechanism; empty if the listener does not
 * use SASL. Undefined until that response is complete.
 */
function readMechanisms(received: Buffer): readonly string[] | undefined {
  if (received.length < 8) return undefined;
  const end = 4 + received.readInt32BE(0);
  if (received.length < end) return undefined;
  if (received.readInt32BE(4) !== ids.handshake) return readMechanisms(received.subarray(end));
  if (end < 14) return [];
  // The error code comes first, then the list.
  const count = received.readInt32BE(10);
  const found: string[] = [];
  for (let at = 14; found.length < count && at + 2 <= end; ) {
    const length = received.readInt16BE(at);
    found.push(received.toString('utf8', at + 2, at + 2 + length));
    at += 2 + length;
  }
  return found;
}

/** Returns a noun phrase such as `an HTTP server`, for messages. */
export function nameListener(listener: Listener): string {
  switch (listener.kind) {
    case 'http':
      return listener.tls ? 'an HTTPS server' : 'an HTTP server';
    case 'postgres':
      return 'a Postgres server';
    case 'kafka':
      return 'a Kafka broker';
    case 'silent':
      return 'a server with an unknown protocol';
    case 'unreachable':
      return `no server (${listener.code})`;
  }
}
