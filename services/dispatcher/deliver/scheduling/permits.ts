/** The permits that requests need to start, both first attempts and retries. */
export interface Permits {
  /** Whether a request could start now. */
  has(isRetry: boolean): boolean;
  /** Returns false if the run has no permits left. */
  take(isRetry: boolean): boolean;
  /** Calls the listener at the start of every run. The returned function removes the listener. */
  onRun(listener: () => void): () => void;
}

export interface RunPermits extends Permits {
  /** Starts a run with all of its permits, except the permits that retries took in advance. */
  startRun(): void;
}

/**
 * `requestsPerRun` 0 means no limit. With a limit, nothing is sent before the first run.
 *
 * New batches exist when a run starts, and may take all of its permits immediately. Retries come due at any time. To be
 * on time, they take up to half of the next run's permits in advance. Partitions take turns at being first, so that a
 * backlog in one of them cannot take all permits run after run.
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
