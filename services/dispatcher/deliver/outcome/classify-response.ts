import type { SendResult } from '../request/send-request.ts';
import { readRetryAfter } from './retry-after.ts';

/** What the receiver's answer, or its absence, means. What becomes of the batch is its outcome (outcome.ts). */
export type ResponseClass =
  | { readonly kind: 'delivered' }
  /** The receiver wants no further requests of this webhook. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** The pause that the receiver asks for. */
      readonly retryAfterMs?: number;
    };

const GONE = 410;
const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;

/** 2xx is delivered, 410 ends the webhook, everything else is tried again. */
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
