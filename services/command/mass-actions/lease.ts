import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { type FinalStatus, hasEnded, isCancelled, isRunBy, leaseEndOf } from './mass-action.ts';

/** Thrown when another runner holds the lease, or this process is stopping. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Thrown when the mass action must not continue, with the status to end it with. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly final: FinalStatus;

  constructor(final: FinalStatus) {
    super(`${final.status} ${final.reason ?? ''}`);
    this.final = final;
  }
}

interface LeaseDeps {
  readonly runner: string;
  /** Renews the lease, and resolves with the current mass action. */
  readonly renew: () => Promise<RecordState>;
  /** Reads the mass action from the read model. */
  readonly look: () => Promise<RecordState | undefined>;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
  readonly now: () => number;
}

const RENEW_EVERY_MS = 5_000;
/**
 * Checks for cancellation more often than the lease is renewed, because thousands of records can change within a
 * second.
 */
const LOOK_EVERY_MS = 250;
const RETRY_AFTER_MS = 250;

/**
 * The lease of a mass action: the right to carry it out. It renews itself until it is closed or lost, and watches for
 * cancellation.
 */
export class Lease {
  readonly #deps: LeaseDeps;
  readonly #closing = new AbortController();
  readonly #watching: Promise<unknown>;
  #until: number;
  #isCancelled: boolean;

  constructor(state: RecordState, deps: LeaseDeps) {
    this.#deps = deps;
    this.#until = leaseEndOf(state);
    this.#isCancelled = isCancelled(state);
    this.#watching = Promise.all([
      this.#every(RENEW_EVERY_MS, async () => this.#renewOnce()),
      this.#every(LOOK_EVERY_MS, async () => this.#note(await deps.look())),
    ]);
  }

  /** Throws LeaseLost unless the lease is held. Returns its expiry, in milliseconds since 1970. */
  requireHeld(): number {
    const { now, signal } = this.#deps;
    if (signal.aborted || now() >= this.#until) throw new LeaseLost();
    return this.#until;
  }

  /** Throws if the lease is lost or the mass action is cancelled. Called before further records are changed. */
  requireWanted(): void {
    this.requireHeld();
    if (this.#isCancelled) throw new Interrupted({ status: 'Cancelled' });
  }

  /** Retries a task while the log is unavailable and the lease is held. Tasks must respect the given deadline. */
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
    await this.#watching;
  }

  async #every(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await sleep(ms, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      // If the renewal fails, the lease expires automatically.
      await work().catch(() => undefined);
    }
  }

  async #renewOnce(): Promise<void> {
    const { renew, runner } = this.#deps;
    const state = await renew();
    const isHeld = !hasEnded(state) && isRunBy(state, runner);
    this.#until = isHeld ? leaseEndOf(state) : 0;
    this.#note(state);
  }

  #note(state: RecordState | undefined): void {
    this.#isCancelled ||= state !== undefined && isCancelled(state);
  }
}
