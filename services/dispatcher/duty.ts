/**
 * Work that one process at a time does.
 *
 *   idle ──assigned──▶ starting ──▶ working ──assigned elsewhere, or stopped──▶ closing ──▶ idle
 *     ▲                                │ superseded: another process began although the group says us
 *     └────────── a while later ───────┘
 *
 * The group only says who should; two may believe so at the same time. What the work commits is fenced by its
 * transactional id: the older one is told that it is superseded, stops, and looks at the assignment again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface Work {
  isWorking(): boolean;
  close(): Promise<unknown>;
}

interface DutyDeps {
  /** `onSuperseded` may be called at any time after the start, more than once. */
  readonly start: (onSuperseded: () => void) => Work;
  readonly log: Logger;
}

const AGAIN_AFTER_MS = 1_000;

export class Duty {
  readonly #deps: DutyDeps;
  #work: Work | undefined;
  #superseded: Work | undefined;
  #isAssigned: boolean | undefined;
  #isStopped = false;
  #since = 0n;
  /** Starting and closing happen one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: DutyDeps) {
    this.#deps = deps;
  }

  assign(isOurs: boolean): void {
    this.#isAssigned = isOurs;
    this.#next();
  }

  /** Works, or stands by and knows that another process is to work. */
  isReady(): boolean {
    return this.#isAssigned === true
      ? this.#work?.isWorking() === true
      : this.#isAssigned === false;
  }

  isWorking(): boolean {
    return this.#work !== undefined;
  }

  /** When the work began, in milliseconds since 1970. */
  since(): bigint {
    return this.#since;
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    this.#next();
    await this.#turn;
  }

  #next(): void {
    this.#turn = this.#turn.then(() => this.#settle());
  }

  async #settle(): Promise<void> {
    const isWanted = this.#isAssigned === true && !this.#isStopped;
    if (isWanted && this.#work === undefined) this.#start();
    if (!isWanted) await this.#end();
  }

  #start(): void {
    this.#deps.log.info('dispatching begins here');
    const work = this.#deps.start(() => this.#restart(work));
    this.#work = work;
    this.#since = BigInt(Date.now());
  }

  async #end(): Promise<void> {
    const work = this.#work;
    this.#work = undefined;
    await work?.close();
  }

  #restart(superseded: Work): void {
    if (this.#work !== superseded || this.#superseded === superseded) return;
    this.#superseded = superseded;
    this.#deps.log.warn('dispatching was taken over by another process');
    this.#turn = this.#turn.then(async () => {
      await this.#end();
      await sleep(AGAIN_AFTER_MS);
      await this.#settle();
    });
  }
}
