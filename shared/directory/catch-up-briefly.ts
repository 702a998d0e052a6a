import { inTime } from '../runtime/in-time.ts';

const TIMEOUT_MS = 1_000;

/**
 * A `catchUp` for many concurrent callers that never fails: one run at a time; callers that arrive during a run share
 * the next one; after a second of waiting a caller continues with the present state.
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
    // The present run may have read the log's end before the entry that the caller needs was written.
    next ??= running.then(start);
    return atMostBriefly(next);
  };
}

function atMostBriefly(work: Promise<void>): Promise<void> {
  return inTime(work, TIMEOUT_MS).catch(() => undefined);
}
