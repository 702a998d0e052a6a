/** Permits that requests need to start, first attempts and retries alike. */
export interface Permits {
  /** Whether a request could start now. */
  has(isRetry: boolean): boolean;
  /** False if the run's share is used up: wait for the next run. */
  take(isRetry: boolean): boolean;
  /** Calls the listener at the beginning of every run. The function that it returns removes the listener. */
  onRun(listener: () => void): () => void;
}

export interface RunPermits extends Permits {
  /** Begins a run of "Process Webhook Queue" with its full share, less what retries took of it in advance. */
  startRun(): void;
}

/**
 * `requestsPerRun` 0 means no limit. With a limit, nothing is sent before the first run.
 *
 * New batches are there when a run begins, and may take all of its share at once; retries come due at any time. So that
 * these keep their times, they take up to half of the next run's share in advance. Partitions take turns at being the
 * first, so that a backlog in one of them cannot take the whole share run after run.
 */
export function createPermits(requestsPerRun: number): RunPermits {
  const listeners = new Set<() => void>();
  const inAdvance = Math.floor(requestsPerRun / 2);
  let left: number | undefined;

  function has(isRetry: boolean): boolean {
    if (requestsPerRun === 0) return true;
    return left !== undefined && left > (isRetry ? -inAdvance : 0);
  }

  return {
    has,
    take(isRetry) {
      if (!has(isRetry)) return false;
      left = (left ?? 0) - 1;
      return true;
    },
    onRun(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    startRun() {
      left = requestsPerRun + Math.min(left ?? 0, 0);
      for (const listener of [...listeners]) listener();
      const [first] = listeners;
      if (first === undefined) return;
      listeners.delete(first);
      listeners.add(first);
    },
  };
}
