import { inTime } from '../runtime/in-time.ts';
import { createFresh } from '../runtime/share-answers.ts';

const TIMEOUT_MS = 1_000;

/**
 * Wraps `catchUp` for many concurrent callers. The returned function never rejects, and runs `catchUp` once at a time:
 * callers that arrive during a run share the next one. After waiting for one second, a caller continues with the
 * current state.
 */
export function catchUpBriefly(catchUp: () => Promise<void>): () => Promise<void> {
  const catchUpOnce = createFresh(() => catchUp().catch(() => undefined));
  return () => inTime(catchUpOnce(), TIMEOUT_MS).catch(() => undefined);
}
