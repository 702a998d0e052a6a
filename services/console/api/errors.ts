import type { Problem } from '../language/error-text.ts';

/** A failed validation of one field. */
interface FieldProblem extends Problem {
  readonly field: string;
  /** The failing attribute, if the field has several. */
  readonly attribute?: string;
}

/** A response other than 2xx. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** An error code from docs/reference/errors.md; empty if the response has none. */
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  readonly body: unknown;
  /** The value of the header `X-Status-Reason`. */
  readonly reason: string;
  /** Identifies the request in the server's log. */
  readonly requestId: string;
  /** With this token, reads wait for a change that is in the log but not readable yet. */
  readonly consistencyToken: string;

  constructor(parts: {
    readonly status: number;
    readonly reason: string;
    readonly body: unknown;
    readonly requestId: string;
    readonly consistencyToken?: string;
  }) {
    const { message, code, errors } = Object(parts.body);
    super(typeof message === 'string' ? message : parts.reason);
    this.status = parts.status;
    this.code = typeof code === 'string' ? code : '';
    this.fields = Array.isArray(errors) ? errors : [];
    this.body = parts.body;
    this.reason = parts.reason;
    this.requestId = parts.requestId;
    this.consistencyToken = parts.consistencyToken ?? '';
  }
}

/** The request got no response: the api or the network is unavailable. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly requestId: string;

  constructor(cause: unknown, requestId: string) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.requestId = requestId;
  }
}

/** True if the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}

/** True if the request was rejected because the user has no session. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** True if the record has changed since the version named in the request. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** True if the record is quarantined (docs/adr/0040) until an administrator retries or discards a change. */
export function isQuarantine(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'record.quarantined' || error.code === 'change.unstorable')
  );
}
