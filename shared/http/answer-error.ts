import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import {
  bugAnswer,
  type ErrorAnswer,
  toBody,
  toErrorAnswer,
  toProblemBody,
} from './error-answer.ts';
import { toStatusReason } from './status-reason.ts';
import { traceFieldsOf } from './trace-requests.ts';

interface Deps {
  readonly log: Logger;
  /** Told about every error that nobody expected, after the answer is on its way. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}

/** Code of the refusal that asks a person's browser for a password. */
export const credentialsMissing = 'credentials.missing';

/** The one way in which errors become answers. */
export function createAnswerError({ log, onBug }: Deps) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = toErrorAnswer(error);
    if (answer === undefined) {
      log.error({ err: error, ...lineOf(request) }, 'request failed');
      void sendError(bugAnswer, request, reply);
      onBug?.(error);
      return reply;
    }
    // One user with many searches would fill the log.
    if (answer.code === 'service.unavailable') {
      log.warn({ err: error, ...lineOf(request) }, 'unavailable');
    }
    return sendError(answer, request, reply);
  };
}

/** Errors also come from before the handler, where the request's trace is not the current one yet. */
function lineOf(request: FastifyRequest) {
  return { method: request.method, path: pathOf(request), ...traceFieldsOf(request) };
}

function sendError(answer: ErrorAnswer, request: FastifyRequest, reply: FastifyReply) {
  // Past Fastify's own headers, which it turns to lower case: a published client looks for this very spelling.
  reply.raw.setHeader('X-Status-Reason', toStatusReason(answer.message));
  if (answer.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', `${answer.retryAfterSeconds}`);
  }
  if (answer.code === credentialsMissing && asksForPassword(request)) {
    void reply.header('www-authenticate', 'Basic realm=""');
  }
  const asProblem = request.headers.accept?.includes('application/problem+json') === true;
  const body = asProblem ? toProblemBody(answer) : toBody(answer);
  // As bytes, because Fastify adds a charset to the type of JSON text.
  return reply
    .code(answer.status)
    .header('content-type', asProblem ? 'application/problem+json' : 'application/json')
    .send(Buffer.from(body));
}

/** Scripts in pages must not make the browser open its password window. */
function asksForPassword({ method, headers }: FastifyRequest): boolean {
  return (
    method !== 'POST' &&
    headers.referer === undefined &&
    String(headers['x-requested-with']).toLowerCase() !== 'xmlhttprequest'
  );
}

/** Queries may hold what people search for: they stay out of the log. */
export function pathOf({ originalUrl }: FastifyRequest): string {
  const end = originalUrl.indexOf('?');
  return end === -1 ? originalUrl : originalUrl.slice(0, end);
}
