import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { hasEnded, isRunBy, leaseEndOf } from './mass-action.ts';

/** Another runner has the mass action, or this process stops. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

interface LeaseDeps {
  readonly runner: string;
  /** Prolongs it, and answers the mass action as it then is. */
  readonly renew: () => Promise<RecordState>;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
  readonly now: () => number;
}

const RENEW_EVERY_MS = 5_000;
const RETRY_AFTER_MS = 250;

/** The right to carry out a mass action, renewed until it is closed or lost. */
export class Lease {
  readonly #deps: LeaseDeps;
  readonly #closing = new AbortController();
  readonly #renewing: Promise<void>;
  #until: number;

  constructor(state: RecordState, deps: LeaseDeps) {
    this.#deps = deps;
    this.#until = leaseEndOf(state);
    this.#renewing = this.#keepRenewing();
  }

  /** Until when it is held, in milliseconds since 1970. */
  requireHeld(): number {
    const { now, signal } = this.#deps;
    if (signal.aborted || now() >= this.#until) throw new LeaseLost();
    return this.#until;
  }

  /** Tries again while the log is away and the lease is held. Tasks have to end by the time that they are given. */
  async persist<Result>(task: (until: number) => Promise<Result>): Promise<Result> {
    for (;;) {
      const until = this.requireHeld();
      try {
        return await task(until);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
      }
      await sleep(RETRY_AFTER_MS);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#renewing;
  }

  async #keepRenewing(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await sleep(RENEW_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      // Without an answer the lease runs out by itself.
      await this.#renewOnce().catch(() => undefined);
    }
  }

  async #renewOnce(): Promise<void> {
    const { renew, runner } = this.#deps;
    const state = await renew();
    const isHeld = !hasEnded(state) && isRunBy(state, runner);
    this.#until = isHeld ? leaseEndOf(state) : 0;
  }
}
