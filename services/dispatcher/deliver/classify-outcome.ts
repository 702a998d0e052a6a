import type { SendResult } from './send-request.ts';

export type Verdict =
  | { readonly kind: 'delivered' }
  /** The receiver wants no more of this webhook, ever. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string };

const GONE = 410;

/** webhooks.md section 4: 2xx is delivered, 410 ends the webhook, everything else is tried again. */
export function classifyOutcome(result: SendResult): Verdict {
  if (result.kind === 'failed') return { kind: 'failed', reason: result.reason };
  const { status } = result;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === GONE) return { kind: 'gone' };
  return { kind: 'failed', reason: `HTTP status ${status}` };
}
