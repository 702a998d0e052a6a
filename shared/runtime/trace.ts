import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** Where a request belongs in a distributed trace (W3C Trace Context). */
export interface Trace {
  /** 32 hexadecimal characters, the same in every part of a trace. */
  readonly traceId: string;
  /** 16 hexadecimal characters: this very request. */
  readonly spanId: string;
  /** As header: of what this request causes. */
  readonly traceparent: string;
}

/** Version 00; later versions may append fields, which are not ours to pass on. */
const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})/;
const complete = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const notSampled = '00';

/** A request within the trace that its caller names, or else, also where the caller's name is none, in a new one. */
export function continueTrace(traceparent: string | undefined): Trace {
  const found = traceparent === undefined ? null : pattern.exec(traceparent);
  const [, traceId = newTraceId(), flags = notSampled] = found ?? [];
  const spanId = newSpanId();
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}

/** What a message of a topic carries is sent on to others only if it is one. */
export function isTraceparent(text: string): boolean {
  return complete.test(text);
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/** UUIDs come from a cache of random bytes, so they cost a tenth of a call for some bytes. */
function newTraceId(): string {
  const uuid = randomUUID();
  return (
    uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24)
  );
}

/** Sixteen characters of a UUID that are all random: not those of its version and variant. */
function newSpanId(): string {
  const uuid = randomUUID();
  return uuid.slice(24) + uuid.slice(0, 4);
}

/**
 * Known to everything that a request calls, so that neither logs nor commands hand it on by hand. The only state of a
 * module here: without a request under way it is empty.
 */
const current = new AsyncLocalStorage<Trace>();

export function runInTrace(trace: Trace, work: () => void): void {
  current.run(trace, work);
}

export function currentTrace(): Trace | undefined {
  return current.getStore();
}
