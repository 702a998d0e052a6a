import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** The place of a request in a distributed trace (W3C Trace Context). */
export interface Trace {
  /** 32 hexadecimal characters, the same in every part of a trace. */
  readonly traceId: string;
  /** 16 hexadecimal characters: this request. */
  readonly spanId: string;
  /** The header for requests that this one causes. */
  readonly traceparent: string;
}

/** Version 00. Later versions may append fields, which are not passed on. */
const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})/;
const complete = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const notSampled = '00';

/** A request within the caller's trace, or in a new one if the caller names none or a malformed one. */
export function continueTrace(traceparent: string | undefined): Trace {
  const found = traceparent === undefined ? null : pattern.exec(traceparent);
  const [, traceId = newTraceId(), flags = notSampled] = found ?? [];
  const spanId = newSpanId();
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}

/** Whether a text from a message is a traceparent that can be passed on. */
export function isTraceparent(text: string): boolean {
  return complete.test(text);
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/** UUIDs come from a cache of random bytes, which costs a tenth of asking for random bytes. */
function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** Sixteen characters of a UUID that are all random: without its version and variant. */
function newSpanId(): string {
  const uuid = randomUUID();
  return uuid.slice(24) + uuid.slice(0, 4);
}

/** An administrator acts as another user (`X-Another-User`). */
export interface Impersonation {
  readonly userId: string;
  readonly administratorId: string;
}

/** The request that code runs for. */
export interface RequestScope {
  readonly trace: Trace;
  /** Fails this request alone, because of an error that no code caught. */
  readonly fail: (error: unknown) => void;
  /** True once the client has closed the connection, so that further work for it is in vain. */
  readonly isGone: () => boolean;
  /** Undefined before the request is authenticated, and without `X-Another-User`. */
  readonly impersonation: () => Impersonation | undefined;
}

/**
 * The scope of the present request, so that logs and commands need not pass its trace on. This is the only module state
 * here: without a request it is empty.
 */
const current = new AsyncLocalStorage<RequestScope>();

/** Includes timers, promises and streams that the work starts. */
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
 * Returns the administrator who acts as this user in the present request. Undefined for other users: the steps of a
 * request that the system takes are not attributed to the administrator.
 */
export function administratorOf(userId: string): string | undefined {
  const impersonation = current.getStore()?.impersonation();
  return impersonation?.userId === userId ? impersonation.administratorId : undefined;
}

/** The fields of a log line that name a trace. */
export function traceFields(trace: Trace | undefined): object {
  return trace === undefined ? {} : { traceId: trace.traceId, spanId: trace.spanId };
}
