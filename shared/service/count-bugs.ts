/** How many unexpected errors in requests a process survives within WINDOW_MS. */
const MAX_BUGS = 10;
const WINDOW_MS = 60_000;

interface BugCounter {
  /** Counts an unexpected error in one request. */
  readonly report: () => void;
  readonly total: () => number;
}

/**
 * Calls `onTooMany` once, if the errors occur in such quick succession that the state of the process may be corrupt.
 */
export function countBugs(now: () => number, onTooMany: (reason: string) => void): BugCounter {
  const recent: number[] = [];
  let total = 0;
  let isOver = false;
  return {
    report() {
      total += 1;
      const at = now();
      recent.push(at);
      while ((recent[0] ?? at) <= at - WINDOW_MS) recent.shift();
      if (recent.length <= MAX_BUGS || isOver) return;
      isOver = true;
      onTooMany(`over ${MAX_BUGS} requests had unexpected errors within ${WINDOW_MS / 1_000} s`);
    },
    total: () => total,
  };
}
