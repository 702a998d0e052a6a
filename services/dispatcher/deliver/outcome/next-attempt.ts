interface FailedAttempt {
  /** Including the failed one. */
  readonly attemptsMade: number;
  /** Attempts among these that do not count. */
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
 * When a failed batch is tried again, and through which retry topic (by index). The delay is the same for all batches,
 * so that the head of a retry partition is always the next one due.
 */
export function nextAttempt(failed: FailedAttempt): NextAttempt {
  if (failed.attemptsMade - failed.sparedAttempts >= failed.maxAttempts) return { kind: 'none' };
  return {
    kind: 'retry',
    retryTopic: Math.min(failed.attemptsMade - 1, LAST_RETRY_TOPIC),
    dueAt: failed.now + failed.periodMs,
  };
}
