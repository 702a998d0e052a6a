import type { OffsetRange } from '../progress/partition-progress.ts';

/**
 * Splits the entries of a retry partition into runs that come due in the order of the log. Usually there is one run,
 * because all entries wait equally long. After `WEBHOOK_FAIL_ATTEMPT_PERIOD` was lowered, later entries are due before
 * earlier ones. The intake reads each run separately, so that no due entry waits behind another run.
 */
export interface DueRuns {
  /** Called for each waiting entry, in ascending order. An unreadable entry has no due time. */
  add(offset: bigint, dueAt: number | undefined): void;
  /**
   * Returns the runs, and the offsets that wait before the last run. `end` is the offset of the next entry, which comes
   * due at `nextDueAt` or later.
   */
  split(end: bigint, nextDueAt: number): DueSplit;
}

interface DueSplit {
  readonly ranges: readonly OffsetRange[];
  readonly early: readonly bigint[];
}

/** Entries with the same period can be out of order by the duration of a commit. */
const TOLERANCE_MS = 1_000;
/** Limits the memory for fetched entries. Entries of further runs wait behind those of the last one. */
const MAX_RUNS = 8;
/** Limits the memory for offsets. Further entries wait until earlier ones are due. */
const MAX_EARLY = 100_000;

export function createDueRuns(start: bigint): DueRuns {
  const starts = [start];
  let latestDueAt = Number.NEGATIVE_INFINITY;
  let early: bigint[] = [];
  let inLastRun: bigint[] = [];

  function startRunIfEarlier(offset: bigint, dueAt: number): void {
    if (dueAt >= latestDueAt - TOLERANCE_MS || starts.length === MAX_RUNS) return;
    if (early.length + inLastRun.length > MAX_EARLY) return;
    starts.push(offset);
    early = early.concat(inLastRun);
    inLastRun = [];
    latestDueAt = dueAt;
  }

  return {
    add(offset, dueAt) {
      if (dueAt !== undefined) {
        startRunIfEarlier(offset, dueAt);
        latestDueAt = Math.max(latestDueAt, dueAt);
      }
      if (inLastRun.length <= MAX_EARLY) inLastRun.push(offset);
    },
    split(end, nextDueAt) {
      startRunIfEarlier(end, nextDueAt);
      const ranges = starts.map((from, index) => {
        const to = starts[index + 1];
        return to === undefined ? { from } : { from, to };
      });
      return { ranges, early };
    },
  };
}
