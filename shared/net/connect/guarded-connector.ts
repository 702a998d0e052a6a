import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { type buildConnector, errors } from 'undici';
import { findAddresses, type TargetGuard } from '../find-addresses.ts';
import { validateTarget } from '../validate-target.ts';
import { AddressRefused, connectFirst } from './connect-first.ts';

interface ConnectorOptions {
  readonly guard: TargetGuard;
  /** The limit for the name lookup, TCP and TLS together. */
  readonly timeoutMs: number;
  /** A longer response closes its connection. */
  readonly maxAnswerBytes: number;
  /** Aborting it cancels connections that are being established. */
  readonly closing: AbortSignal;
}

class UnknownName extends Error {
  override readonly name = 'UnknownName';
}

/**
 * Returns a connector that checks addresses. undici's own connector is not sufficient, because it skips `lookup` for
 * hosts that are addresses. A name is resolved once, all of its addresses are checked, and the connection goes to one
 * of them. SNI, the certificate check and the Host header use the name. Nothing is sent, not even TLS messages, before
 * the peer's address is verified.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  return (target, callback) => {
    const deadline = startDeadline(options);
    openSocket(target, options.guard, deadline.signal)
      .finally(deadline.clear)
      .then(
        (socket) => {
          callback(null, socket);
          limitAnswers(socket, options.maxAnswerBytes);
        },
        (error: unknown) =>
          callback(error instanceof Error ? error : new Error(String(error)), null),
      );
  };
}

async function openSocket(
  { protocol, hostname, port }: buildConnector.Options,
  guard: TargetGuard,
  signal: AbortSignal,
): Promise<Socket> {
  const verdict = validateTarget({ protocol, host: hostname, port }, guard.rules);
  const found = await beforeAbort(findAddresses(verdict, guard, signal), signal);
  if (found.kind === 'refused') throw new AddressRefused(found.reason);
  if (found.kind === 'unknown') throw new UnknownName(found.reason);
  const isTls = protocol === 'https:';
  const { addresses } = found;
  const socket = await connectFirst(
    { addresses, port: Number(port) || (isTls ? 443 : 80) },
    signal,
  );
  return isTls ? startTls(socket, hostname, signal) : socket;
}

function startTls(socket: Socket, hostname: string, signal: AbortSignal): Promise<TLSSocket> {
  const options: ConnectionOptions = {
    socket,
    host: hostname,
    // SNI allows only names, without a trailing dot (RFC 6066).
    servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: true,
  };
  return new Promise((resolve, reject) => {
    const secure = connectTls(options);
    const onAbort = () => secure.destroy(signal.reason);
    signal.addEventListener('abort', onAbort);
    secure.once('secureConnect', () => {
      signal.removeEventListener('abort', onAbort);
      resolve(secure);
    });
    secure.on('error', (error) => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      reject(error);
    });
  });
}

/**
 * Rejects when the signal is aborted. A lookup by the system's resolver cannot be cancelled, so its result is ignored.
 */
function beforeAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject);
  });
}

function startDeadline({ timeoutMs, closing }: ConnectorOptions) {
  const controller = new AbortController();
  const onClosing = () => controller.abort(new errors.ClientDestroyedError());
  const timer = setTimeout(() => {
    controller.abort(new errors.ConnectTimeoutError(`no connection within ${timeoutMs} ms`));
  }, timeoutMs);
  if (closing.aborted) onClosing();
  closing.addEventListener('abort', onClosing);
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      closing.removeEventListener('abort', onClosing);
    },
  };
}

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/**
 * Destroys a connection whose response is longer than the limit. Bytes are counted as they arrive, because the parser
 * does not report status lines, chunk extensions and endless informational responses. Must be called after undici has
 * received the socket: an earlier listener would start the stream before undici reads it. The count restarts whenever a
 * request is written, because only one request runs at a time.
 */
function limitAnswers(socket: Socket, maxBytes: number): void {
  let written = 0;
  let readBefore = 0;
  let read = 0;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      readBefore = read;
    }
    read = socket.bytesRead;
    if (read - readBefore > maxBytes) socket.destroy(new AnswerTooLong('answer is too long'));
  });
}
