/** Bounds the requests under way in all partitions together. */
export interface RequestSlots {
  /** Whether a request may start. If not, `whenFree` is called once as soon as one may: those who ask take turns. */
  isFree(whenFree: () => void): boolean;
  take(): void;
  release(): void;
  used(): number;
}

export function createRequestSlots(max: number): RequestSlots {
  const waiting = new Set<() => void>();
  let free = max;
  return {
    isFree(whenFree) {
      if (free === 0) waiting.add(whenFree);
      return free > 0;
    },
    used: () => max - free,
    take() {
      free -= 1;
    },
    release() {
      free += 1;
      // Whoever is called may have nothing to start any more; then the next one is.
      for (const whenFree of waiting) {
        if (free === 0) return;
        waiting.delete(whenFree);
        whenFree();
      }
    },
  };
}
