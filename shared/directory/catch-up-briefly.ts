import { inTime } from '../runtime/in-time.ts';

const TIMEOUT_MS = 1_000;

/**
 * Wraps `catchUp` for many concurrent callers. The returned function never rejects, and runs `catchUp` once at a time:
 * callers that arrive during a run share the next one. After waiting for one second, a caller continues with the
 * current state.
 */
export function catchUpBriefly(catchUp: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    next = undefined;
    const own = catchUp()
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
      });
    running = own;
    return own;
  }

  return () => {
    if (running === undefined) return atMostBriefly(start());
    // The current run may have read the log's end before the caller's entry was written.
    next ??= running.then(start);
    return atMostBriefly(next);
  };
}

function atMostBriefly(work: Promise<void>): Promise<void> {
  return inTime(work, TIMEOUT_MS).catch(() => undefined);
}
