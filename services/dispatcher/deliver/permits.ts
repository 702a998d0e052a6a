/** What a request needs before it may start, first attempts and retries alike. */
export interface Permits {
  /** False when the run's share is used up: wait for the next run. */
  take(): boolean;
  /** Calls back at the beginning of every run, until the function that is answered is called. */
  onRun(listener: () => void): () => void;
}

export interface RunPermits extends Permits {
  /** Begins a run of "Process Webhook Queue": its full share, whatever the last one left. */
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
