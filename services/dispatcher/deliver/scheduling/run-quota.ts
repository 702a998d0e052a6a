/** The first attempt to send a batch, a later one, or a test, which needs no quota. */
export type RequestKind = 'first' | 'retry' | 'test';

/**
 * The number of requests that a run may make; 0 means no limit. With a limit, nothing is sent before the first run.
 *
 * New batches already exist when a run starts, and may use its whole quota immediately. Retries come due at any time.
 * To be sent on time, they may use up to half of the next run's quota in advance.
 */
export class RunQuota {
  readonly #requestsPerRun: number;
  #left: number | undefined;

  constructor(requestsPerRun: number) {
    this.#requestsPerRun = requestsPerRun;
  }

  /** Returns true if a request of this kind could start now. */
  has(kind: RequestKind): boolean {
    if (this.#requestsPerRun === 0 || kind === 'test') return true;
    const inAdvance = kind === 'retry' ? Math.floor(this.#requestsPerRun / 2) : 0;
    return this.#left !== undefined && this.#left > -inAdvance;
  }

  /** Returns false if the run has no quota left. */
  take(kind: RequestKind): boolean {
    if (!this.has(kind)) return false;
    if (kind !== 'test') this.#left = (this.#left ?? 0) - 1;
    return true;
  }

  /** Starts a run with the whole quota, minus the requests that retries have made in advance. */
  startRun(): void {
    this.#left = this.#requestsPerRun + Math.min(this.#left ?? 0, 0);
  }
}
