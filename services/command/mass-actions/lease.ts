import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { type FinalStatus, hasEnded, isCancelled, isRunBy, leaseEndOf } from './mass-action.ts';

/** Another runner has the mass action, or this process stops. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Nothing more of the mass action may be done. */
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
  /** Prolongs it, and answers the mass action as it then is. */
  readonly renew: () => Promise<RecordState>;
  /** The mass action as the read model has it. */
  readonly look: () => Promise<RecordState | undefined>;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
  readonly now: () => number;
}

const RENEW_EVERY_MS = 5_000;
/** Thousands of records can be changed in a second: who cancels shall not have to wait for the next renewal. */
const LOOK_EVERY_MS = 250;
const RETRY_AFTER_MS = 250;

/** The right to carry out a mass action, renewed until it is closed or lost, and watched for who cancels. */
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

  /** Until when it is held, in milliseconds since 1970. */
  requireHeld(): number {
    const { now, signal } = this.#deps;
    if (signal.aborted || now() >= this.#until) throw new LeaseLost();
    return this.#until;
  }

  /** The same, and nobody has cancelled the mass action: something more of it may be begun. */
  requireWanted(): void {
    this.requireHeld();
    if (this.#isCancelled) throw new Interrupted({ status: 'Cancelled' });
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
    await this.#watching;
  }

  async #every(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await sleep(ms, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      // Without an answer the lease runs out by itself.
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
