import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/** The position of a request in a distributed trace (W3C Trace Context). */
export interface Trace {
  /** 32 hexadecimal characters, the same in every part of a trace. */
  readonly traceId: string;
  /** 16 hexadecimal characters that identify this request. */
  readonly spanId: string;
  /** The header for requests that this one causes. */
  readonly traceparent: string;
}

/** Matches version 00. Later versions may append fields, which are not passed on. */
const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})/;
const complete = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const notSampled = '00';

/** Continues the caller's trace, or begins a new trace if the caller's header is missing or malformed. */
export function continueTrace(traceparent: string | undefined): Trace {
  const found = traceparent === undefined ? null : pattern.exec(traceparent);
  const digits = nextIds();
  const [, traceId = digits.slice(SPAN_DIGITS), flags = notSampled] = found ?? [];
  const spanId = digits.slice(0, SPAN_DIGITS);
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}

/** Returns whether text from a message is a traceparent that can be passed on. */
export function isTraceparent(text: string): boolean {
  return complete.test(text);
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

const SPAN_DIGITS = 16;
const ID_BYTES = 24;
const POOLED_IDS = 256;

const nextIds = createIds();

/** Returns the digits of a span id and a trace id. Random bytes for many of them are generated together. */
function createIds(): () => string {
  const pool = Buffer.alloc(ID_BYTES * POOLED_IDS);
  let used = pool.length;

  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += ID_BYTES;
    return pool.toString('hex', used - ID_BYTES, used);
  };
}

/** An administrator who acts as another user (`X-Another-User`). */
export interface Impersonation {
  readonly userId: string;
  readonly administratorId: string;
}

/** The request for which the current code runs. */
export interface RequestScope {
  readonly trace: Trace;
  /** Fails only this request, after an error that no code caught. */
  readonly fail: (error: unknown) => void;
  /** Returns true once the client has closed the connection, which makes further work for this request useless. */
  readonly isGone: () => boolean;
  /** Returns undefined before the request is authenticated, and if it does not send `X-Another-User`. */
  readonly impersonation: () => Impersonation | undefined;
}

/**
 * The scope of the current request, so that logs and commands do not have to pass its trace along. Empty outside
 * requests.
 */
const current = new AsyncLocalStorage<RequestScope>();

/** Also applies to timers, promises and streams that `work` starts. */
export function runInRequest(scope: RequestScope, work: () => void): void {
  current.run(scope, work);
}

export function currentRequest(): RequestScope | undefined {
  return current.getStore();
}

export function currentTrace(): Trace | undefined {
  return current.getStore()?.trace;
}

/**
 * Returns the administrator who acts as this user in the current request. Undefined for other users, because steps that
 * the system performs are not attributed to the administrator.
 */
export function administratorOf(userId: string): string | undefined {
  const impersonation = current.getStore()?.impersonation();
  return impersonation?.userId === userId ? impersonation.administratorId : undefined;
}

/** Returns the fields of a log line that identify a trace. */
export function traceFields(trace: Trace | undefined): object {
  return trace === undefined ? {} : { traceId: trace.traceId, spanId: trace.spanId };
}
