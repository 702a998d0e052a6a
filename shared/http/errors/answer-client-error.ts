import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const malformed = [400, 'request.malformed', 'Not a valid HTTP request.'] as const;
const answers: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'request.headers_too_large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request.too_slow', 'The request took too long to arrive.'],
};

/**
 * Responds to input that is not HTTP, too slow or too large. Fastify has no request for it yet, so the response is
 * written to the socket.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answerOnSocket(socket, answers[error.code ?? ''] ?? malformed);
}

const unexpected = [
  417,
  'request.expectation',
  'Expect can only be 100-continue. Leave the header out.',
] as const;

/** Responds to an unknown `Expect` header. Node's default response is a 417 without a body. */
export function answerExpectation({ socket }: IncomingMessage): void {
  answerOnSocket(socket, unexpected);
}

function answerOnSocket(
  socket: Socket,
  [status, code, message]: readonly [number, string, string],
): void {
  const body = JSON.stringify({ message, code });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      `X-Status-Reason: ${message}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
