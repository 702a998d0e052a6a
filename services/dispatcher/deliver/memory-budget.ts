/** Room for batches that were taken in and whose ending is not recorded yet. */
export interface MemoryBudget {
  take(bytes: number): void;
  release(bytes: number): void;
  free(): Room;
}

export interface Room {
  readonly batches: number;
  readonly bytes: number;
}

/** One partition's use of a budget that it shares with others. */
export interface BudgetShare extends MemoryBudget {
  /** Releases what is still taken. */
  close(): void;
}

export function createMemoryBudget(limit: Room): MemoryBudget {
  let { batches, bytes } = limit;
  return {
    take(taken) {
      batches -= 1;
      bytes -= taken;
    },
    release(released) {
      batches += 1;
      bytes += released;
    },
    free: () => ({ batches, bytes }),
  };
}

export function shareBudget(budget: MemoryBudget): BudgetShare {
  const taken: number[] = [];
  let isClosed = false;
  return budget as never;
}
