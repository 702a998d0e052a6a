/** What a field that fails is answered with. */
export interface FieldProblem {
  readonly field: string;
  /** Such as `required`, `valid`, `maxLength`. */
  readonly type: string;
  readonly message: string;
}

/** An answer other than 2xx. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** docs/reference/errors.md; empty where the answer has none. */
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  readonly body: unknown;
  /** `X-Status-Reason`. */
  readonly reason: string;
  /** By which the server's log finds the request. */
  readonly requestId: string;

  constructor(parts: {
    readonly status: number;
    readonly reason: string;
    readonly body: unknown;
    readonly requestId: string;
  }) {
    const { message, code, errors } = Object(parts.body);
    super(typeof message === 'string' ? message : parts.reason);
    this.status = parts.status;
    this.code = typeof code === 'string' ? code : '';
    this.fields = Array.isArray(errors) ? errors : [];
    this.body = parts.body;
    this.reason = parts.reason;
    this.requestId = parts.requestId;
  }
}

/** No answer came: the api is away, or the network. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly requestId: string;

  constructor(cause: unknown, requestId: string) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.requestId = requestId;
  }
}

/** Whether the same request may have better luck a moment later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}

/** Whether the request was refused for want of a session. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether the tables refuse a change of the record (docs/adr/0040): an administrator has to act first. */
export function isQuarantine(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'record.quarantined' || error.code === 'change.unstorable')
  );
}
