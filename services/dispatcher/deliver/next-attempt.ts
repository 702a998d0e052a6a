interface FailedAttempt {
  /** The failed one included. */
  readonly attemptsMade: number;
  /** Of these, those that do not count. */
  readonly sparedAttempts: number;
  readonly maxAttempts: number;
  readonly now: number;
  readonly periodMs: number;
}

export type NextAttempt =
  | { readonly kind: 'retry'; readonly retryTopic: number; readonly dueAt: number }
  | { readonly kind: 'none' };

const LAST_RETRY_TOPIC = 2;

/**
 * When and through which retry topic (by index) a failed batch is tried again. The delay is the same for all, so that
 * the head of a retry partition is always the next due.
 */
export function nextAttempt(failed: FailedAttempt): NextAttempt {
  if (failed.attemptsMade - failed.sparedAttempts >= failed.maxAttempts) return { kind: 'none' };
  return {
    kind: 'retry',
    retryTopic: Math.min(failed.attemptsMade - 1, LAST_RETRY_TOPIC),
    dueAt: failed.now + failed.periodMs,
  };
}
