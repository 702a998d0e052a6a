import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { traceFields } from '../../runtime/trace.ts';
import {
  type ErrorAnswer,
  toBody,
  toBugAnswer,
  toErrorAnswer,
  toProblemBody,
} from './error-answer.ts';
import { toStatusReason } from './status-reason.ts';

interface Deps {
  readonly log: Logger;
  /** Called with every unexpected error of a request after it is logged. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}

/** The code of the refusal that makes a browser prompt for a password. */
export const credentialsMissing = 'credentials.missing';

export type AnswerError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply;

export interface RequestErrors {
  /** Converts errors to responses; nothing else does. */
  readonly answer: AnswerError;
  /**
   * Ends a request whose error was thrown outside of its handler, or aborts its response if it is already being sent.
   */
  readonly end: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
}

export function createRequestErrors({ log, onBug }: Deps): RequestErrors {
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
    // Other codes are not logged: one user with many searches would fill the log.
    if (known.code === 'service.unavailable') {
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
      // The status has been sent. Only a broken connection shows the client that the rest is missing.
      if (!reply.raw.writableFinished) reply.raw.destroy();
    },
  };
}

/** Errors can occur before the handler, when the request's trace is not the current one yet. */
function lineOf(request: FastifyRequest) {
  return { method: request.method, path: pathOf(request), ...traceFields(request.trace) };
}

function sendError(answer: ErrorAnswer, request: FastifyRequest, reply: FastifyReply) {
  // Set on the raw response: Fastify lower-cases header names, and a published client needs this spelling.
  reply.raw.setHeader('X-Status-Reason', toStatusReason(answer.statusReason ?? answer.message));
  if (answer.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', `${answer.retryAfterSeconds}`);
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
 * Pages and scripts must not trigger the browser's password dialog: the browser keeps that password beyond the
 * session.
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
 * Returns the path without its query, which may contain personal data, and without the key of a lead capture, which
 * is a secret. For the log.
 */
export function pathOf({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): string {
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
