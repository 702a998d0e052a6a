/** The memory for admitted batches without a recorded outcome, shared by all partitions. */
export interface MemoryBudget {
  share(): BudgetShare;
}

/** The share of one partition. */
export interface BudgetShare {
  take(bytes: number): void;
  release(bytes: number): void;
  /** Returns the memory that all partitions together leave free. */
  free(): Room;
  /** Releases the share; later calls have no effect. */
  close(): void;
}

export interface Room {
  readonly batches: number;
  readonly bytes: number;
}

export function createMemoryBudget(limit: Room): MemoryBudget {
  let { batches, bytes } = limit;

  return {
    share() {
      let taken: Room = { batches: 0, bytes: 0 };
      let isClosed = false;

      function change(by: Room): void {
        if (isClosed) return;
        taken = { batches: taken.batches + by.batches, bytes: taken.bytes + by.bytes };
        batches -= by.batches;
        bytes -= by.bytes;
      }

      return {
        take: (size) => change({ batches: 1, bytes: size }),
        release: (size) => change({ batches: -1, bytes: -size }),
        free: () => ({ batches, bytes }),
        close() {
          change({ batches: -taken.batches, bytes: -taken.bytes });
          isClosed = true;
        },
      };
    },
  };
}
