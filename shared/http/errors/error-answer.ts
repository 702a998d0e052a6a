import { STATUS_CODES } from 'node:http';
import { Refusal, type RefusalKind, StorageLow, Unavailable } from '../../domain/errors.ts';

/** The response to a client for an error. */
export interface ErrorAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Absent: use the message. */
  readonly statusReason?: string | undefined;
  readonly detail: Omit<Refusal['detail'], 'retryAfterSeconds' | 'statusReason'> & {
    /** For unexpected errors. */
    readonly requestId?: string | undefined;
  };
  readonly retryAfterSeconds?: number | undefined;
}

/** Only this folder knows status codes; elsewhere a refusal has a kind. */
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

/** Undefined means a bug; the response then reveals nothing about it. */
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
    return { status, code, message, detail: {}, retryAfterSeconds };
  }
  return toFrameworkAnswer(error);
}

/** The log has the error under the request id, which is the trace id. */
export function toBugAnswer(requestId: string | undefined): ErrorAnswer {
  return { status: 500, code: 'internal.error', message: 'Internal error.', detail: { requestId } };
}

export function toBody({ code, message, detail }: ErrorAnswer): string {
  return JSON.stringify(detail.body ?? { message, code, ...detail });
}

/** RFC 9457. */
export function toProblemBody({ status, code, message, detail }: ErrorAnswer): string {
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
