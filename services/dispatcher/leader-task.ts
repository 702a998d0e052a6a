/**
 * Work that only one process does at a time.
 *
 *   idle ──assigned──▶ working ──assigned elsewhere, or stopped──▶ closing ──▶ idle
 *     ▲                   │
 *     └───────────────────┘ superseded: another process started the same work. This process restarts the work only
 *                           after the group has confirmed the assignment again
 *
 * The group only assigns the work, so two processes may do it for a while. Their commits are fenced by the
 * transactional id: the process that started earlier is superseded, and stops. A process that cannot reach the group
 * continues its work. If it is superseded, it does not restart the work, because the two processes would then fence
 * each other endlessly.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface Work {
  isWorking(): boolean;
  close(): Promise<unknown>;
}

interface LeaderTaskOptions {
  readonly name: string;
  /** `onSuperseded` may be called at any time after the start, and more than once. */
  readonly start: (onSuperseded: () => void) => Work;
  /** The time at which the group last confirmed this process as a member of its newest generation, in ms since 1970. */
  readonly confirmedAt: () => number;
  readonly log: Logger;
}

const AGAIN_AFTER_MS = 1_000;

export class LeaderTask {
  readonly #options: LeaderTaskOptions;
  readonly #stopping = new AbortController();
  #work: Work | undefined;
  #isAssigned: boolean | undefined;
  #since = 0n;
  #supersededAt: number | undefined;
  /** A chain of all starts and closes, so that they never overlap. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LeaderTaskOptions) {
    this.#options = options;
  }

  assign(isOurs: boolean): void {
    this.#isAssigned = isOurs;
    this.#next();
  }

  /** True if the work runs here or is assigned to another process. False before the first assignment. */
  isReady(): boolean {
    return this.#isAssigned === true
      ? this.#work?.isWorking() === true
      : this.#isAssigned === false;
  }

  /**
   * Returns the time at which the work started here, in milliseconds since 1970; undefined while it does not run here.
   */
  since(): bigint | undefined {
    return this.#work === undefined ? undefined : this.#since;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#next();
    await this.#turn;
  }

  #next(): void {
    this.#turn = this.#turn.then(() => this.#run());
  }

  async #run(): Promise<void> {
    const isWanted = this.#isAssigned === true && !this.#stopping.signal.aborted;
    if (isWanted) return this.#startIfPossible();
    this.#supersededAt = undefined;
    await this.#closeWork();
  }

  #startIfPossible(): void {
    const { confirmedAt, log, name, start } = this.#options;
    if (this.#work !== undefined) return;
    if (this.#supersededAt !== undefined && confirmedAt() <= this.#supersededAt) return;
    log.info({ duty: name }, 'duty started');
    this.#supersededAt = undefined;
    const work = start(() => this.#onSuperseded(work));
    this.#work = work;
    this.#since = BigInt(Date.now());
  }

  async #closeWork(): Promise<void> {
    const work = this.#work;
    this.#work = undefined;
    if (work === undefined) return;
    this.#options.log.info({ duty: this.#options.name }, 'duty ended');
    await work.close();
  }

  #onSuperseded(work: Work): void {
    if (this.#work !== work || this.#supersededAt !== undefined) return;
    this.#supersededAt = Date.now();
    this.#options.log.warn({ duty: this.#options.name }, 'duty was taken over by another process');
    this.#turn = this.#turn.then(() => this.#closeWork());
    void this.#lookAgain();
  }

  async #lookAgain(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#supersededAt !== undefined && !signal.aborted) {
      await sleep(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
      this.#next();
      await this.#turn;
    }
  }
}
