/** Permits that requests need to start, first attempts and retries alike. */
export interface Permits {
  /** False if the run's share is used up: wait for the next run. */
  take(): boolean;
  /** Calls the listener at the beginning of every run. The function that it returns removes the listener. */
  onRun(listener: () => void): () => void;
}

export interface RunPermits extends Permits {
  /** Begins a run of "Process Webhook Queue" with its full share, whatever is left of the last one. */
  startRun(): void;
}

/** `requestsPerRun` 0 means no limit. With a limit, nothing is sent before the first run. */
export function createPermits(requestsPerRun: number): RunPermits {
  const listeners = new Set<() => void>();
  let left = 0;
  return {
    take() {
      if (requestsPerRun === 0) return true;
      if (left === 0) return false;
      left -= 1;
      return true;
    },
    onRun(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    startRun() {
      left = requestsPerRun;
      for (const listener of listeners) listener();
    },
  };
}
