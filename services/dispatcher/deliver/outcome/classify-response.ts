import type { SendResult } from '../request/send-request.ts';

/**
 * What a receiver's response, or its absence, means for the attempt. The outcome of the batch is decided elsewhere
 * (outcome.ts).
 */
export type ResponseClass =
  | { readonly kind: 'delivered' }
  /** The receiver accepts no further requests for this webhook. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** The pause that the receiver requested. */
      readonly retryAfterMs?: number;
    };

const GONE = 410;
const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;

/** Classifies a response: 2xx means delivered, 410 removes the webhook, and everything else is retried. */
export function classifyResponse(result: SendResult, now: number): ResponseClass {
  if (result.kind === 'failed') return { kind: 'failed', reason: result.reason };
  const { status } = result;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === GONE) return { kind: 'gone' };
  const reason = `HTTP status ${status}`;
  const mayAsk = status === TOO_MANY_REQUESTS || status === UNAVAILABLE;
  const retryAfterMs = mayAsk ? readRetryAfter(result.observed?.headers ?? [], now) : undefined;
  return { kind: 'failed', reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** The longest pause that a receiver can request. */
const MAX_MS = 3_600_000;

/**
 * Returns the pause in milliseconds that a receiver requests with `Retry-After` (RFC 9110, section 10.2.3: seconds, or
 * a date). Returns undefined if the header is missing or malformed.
 */
export function readRetryAfter(headers: readonly string[], now: number): number | undefined {
  const at = headers.findIndex(
    (text, index) => index % 2 === 0 && text.toLowerCase() === 'retry-after',
  );
  const value = at === -1 ? '' : (headers[at + 1] ?? '').trim();
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_MS);
}
