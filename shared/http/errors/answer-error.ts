import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import {
  Refusal,
  type RefusalKind,
  StorageLow,
  Unavailable,
  WriteUnread,
} from '../../domain/errors.ts';
import { traceFields } from '../../runtime/trace.ts';

/** The refusal code that makes a browser prompt for a password. */
export const credentialsMissing = 'credentials.missing';

export type AnswerError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply;

export interface RequestErrors {
  /** Converts errors to responses; no other code does. */
  readonly answer: AnswerError;
  /** Ends a request whose error was thrown outside its handler, or aborts its response if it is already being sent. */
  readonly end: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
}

/** `onBug` is called with every unexpected request error after it is logged. */
export function createRequestErrors(log: Logger, onBug?: (error: unknown) => void): RequestErrors {
  const report = (error: unknown, request: FastifyRequest) => {
    log.error({ err: error, ...lineOf(request) }, 'request failed');
    onBug?.(error);
  };
  const answer: AnswerError = (error, request, reply) => {
    const known = toErrorAnswer(error);
    if (known === undefined) {
      report(error, request);
      return sendError(toBugAnswer(request.trace?.traceId), request, reply);
    }
    if (known.status === 500) {
      log.error({ err: error, ...lineOf(request) }, 'request failed');
      const requestId = request.trace?.traceId;
      return sendError({ ...known, detail: { ...known.detail, requestId } }, request, reply);
    }
    // Other codes are not logged, because one user with many searches could fill the log.
    if (known.code === 'service.unavailable' || known.code === 'write.unread') {
      log.warn({ err: error, ...lineOf(request) }, 'unavailable');
    }
    return sendError(known, request, reply);
  };
  return {
    answer,
    end(error, request, reply) {
      if (!reply.sent && !reply.raw.headersSent) {
        void answer(error, request, reply);
        return;
      }
      if (toErrorAnswer(error) === undefined) report(error, request);
      // The status has already been sent. Only a broken connection shows the client that the rest is missing.
      if (!reply.raw.writableFinished) reply.raw.destroy();
    },
  };
}

/** Errors can occur before the handler runs, when the request's trace is not yet the current trace. */
function lineOf(request: FastifyRequest) {
  return {
    method: request.method,
    path: pathOf(request.originalUrl),
    ...traceFields(request.trace),
  };
}

function sendError(answer: ErrorAnswer, request: FastifyRequest, reply: FastifyReply) {
  // Set on the raw response: Fastify lower-cases header names, and a published client needs this spelling.
  reply.raw.setHeader('X-Status-Reason', toStatusReason(answer.statusReason ?? answer.message));
  if (answer.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', `${answer.retryAfterSeconds}`);
  }
  if (answer.consistencyToken !== undefined) {
    void reply.header('x-consistency-token', answer.consistencyToken);
  }
  // The rest of the body is not read.
  if (answer.status === 408) void reply.header('connection', 'close');
  if (answer.code === credentialsMissing && shouldPromptForPassword(request)) {
    void reply.header('www-authenticate', 'Basic realm=""');
  }
  const asProblem = request.headers.accept?.includes('application/problem+json') === true;
  const body = asProblem ? toProblemBody(answer) : toBody(answer);
  // As bytes, because Fastify adds a charset to JSON sent as text.
  return reply
    .code(answer.status)
    .header('content-type', asProblem ? 'application/problem+json' : 'application/json')
    .send(Buffer.from(body));
}

/**
 * Pages and scripts must not trigger the browser's password dialog, because the browser keeps a password entered there
 * beyond the session.
 */
function shouldPromptForPassword({ method, headers }: FastifyRequest): boolean {
  return (
    method !== 'POST' &&
    headers.referer === undefined &&
    headers['sec-fetch-site'] !== 'same-origin' &&
    String(headers['x-requested-with']).toLowerCase() !== 'xmlhttprequest'
  );
}

/**
 * Returns the path for the log: without its query, which may contain personal data, and without a lead capture's key,
 * which is secret.
 */
export function pathOf(originalUrl: string): string {
  const path = originalUrl.split('?', 1)[0] ?? '';
  return path.replaceAll(captureKey, '$1***');
}

/** Matches `LeadCapture/{key}` in any case, plural or percent-encoding, but not `LeadCapture/action`. */
const captureKey = new RegExp(
  `(${[...'leadcapture'].map(orEncoded).join('')}[^/]*/+)(?!action(?:/|$))[^/]+`,
  'gi',
);

function orEncoded(letter: string): string {
  const codes = [letter, letter.toUpperCase()].map((one) => one.charCodeAt(0).toString(16));
  return `(?:${letter}|${codes.map((code) => `%${code}`).join('|')})`;
}

/** The response to a client for an error. */
interface ErrorAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Defaults to the message. */
  readonly statusReason?: string | undefined;
  readonly detail: Omit<Refusal['detail'], 'retryAfterSeconds' | 'statusReason'> & {
    /** Set for unexpected errors. */
    readonly requestId?: string | undefined;
    /** The record whose change is not readable yet. */
    readonly recordId?: string;
  };
  /** Makes reads wait for a change that is not readable yet. */
  readonly consistencyToken?: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** HTTP status codes appear only in this folder. Elsewhere, a refusal has a kind. */
const statusByKind: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  unprocessable: 422,
  too_large: 413,
  too_slow: 408,
  too_many_requests: 429,
  // Clients of this API do not expect a 415.
  unsupported_media_type: 400,
  internal: 500,
};

/** Returns undefined for a bug, about which the response reveals nothing. */
export function toErrorAnswer(error: unknown): ErrorAnswer | undefined {
  if (error instanceof Refusal) {
    const { kind, code, message } = error;
    const { retryAfterSeconds, statusReason, ...detail } = error.detail;
    const status = statusByKind[kind];
    return { status, code, message, statusReason, detail, retryAfterSeconds };
  }
  if (error instanceof Unavailable) {
    const { code, message, retryAfterSeconds } = error;
    const status = error instanceof StorageLow ? 507 : 503;
    const answer = { status, code, message, detail: {}, retryAfterSeconds };
    if (!(error instanceof WriteUnread)) return answer;
    const { recordId, consistencyToken } = error;
    return { ...answer, detail: { recordId }, consistencyToken };
  }
  return toFrameworkAnswer(error);
}

/** The error is in the log under the request id, which is the trace id. */
function toBugAnswer(requestId: string | undefined): ErrorAnswer {
  return { status: 500, code: 'internal.error', message: 'Internal error.', detail: { requestId } };
}

function toBody({ code, message, detail }: ErrorAnswer): string {
  return JSON.stringify(detail.body ?? { message, code, ...detail });
}

/** RFC 9457. */
function toProblemBody({ status, code, message, detail }: ErrorAnswer): string {
  const title = STATUS_CODES[status] ?? 'Error';
  return JSON.stringify({ type: 'about:blank', title, status, detail: message, code, ...detail });
}

const frameworkMessages: Readonly<Record<string, readonly [string, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body.too_large', 'The body is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['body.content_type', 'Not a valid content type.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'body.content_length',
    'The length of the body differs from Content-Length.',
  ],
  FST_ERR_BAD_URL: ['path.malformed', 'The path is not properly percent-encoded.'],
  FST_ERR_MAX_PARAM_LENGTH: ['path.too_long', 'A part of the path is too long.'],
};

/** Fastify's own refusals have a status below 500. Its other errors are bugs. */
function toFrameworkAnswer(error: unknown): ErrorAnswer | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined;
  const name = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const [code, message] = frameworkMessages[name] ?? ['request.invalid', 'Not a valid request.'];
  return { status: statusCode === 413 ? 413 : 400, code, message, detail: {} };
}

const malformed = [400, 'request.malformed', 'Not a valid HTTP request.'] as const;
const answers: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'request.headers_too_large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request.too_slow', 'The request took too long to arrive.'],
};

/**
 * Responds to input that is not HTTP, arrives too slowly or is too large. Fastify has no request for it yet, so the
 * response is written to the socket.
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

const MAX_LENGTH = 300;

/**
 * Converts a message to a value for the X-Status-Reason header: one line of Latin-1, regardless of client input in the
 * message. All other characters, including control characters, become spaces.
 */
export function toStatusReason(message: string): string {
  return message.slice(0, MAX_LENGTH).replace(/[^ -~\u00a0-\u00ff]/g, ' ');
}
