import type { Waiting } from './submission.ts';

/**
 * So many commands leave at once, without waiting for more: while the log and the projector work on them, the next ones
 * are read. Larger appends would cost less each, but then every process waits for the other two (measured at 64 and at
 * 256 clients: 32 gives a sixth to a third more writes than 64 or no limit).
 */
export const FULL_APPEND = 32;
/** Commands that may wait for their turn; more would only wait until their deadlines. */
const MAX_WAITING = 10_000;

/** Commands that wait to be decided, and the one loop that takes them. */
export class CommandQueue {
  #waiting: Waiting[] = [];
  #wake: () => void = () => undefined;
  #gathered: () => void = () => undefined;

  get length(): number {
    return this.#waiting.length;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  readonly take = (): Waiting | undefined => this.#waiting.shift();

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#wake();
    if (this.#waiting.length >= FULL_APPEND) this.#gathered();
  }

  /** Back to the head of the queue, in this order. */
  putBack(waiting: readonly Waiting[]): void {
    if (waiting.length > 0) this.#waiting = [...waiting, ...this.#waiting];
  }

  rejectAll(toError: () => Error): void {
    const rejected = this.#waiting;
    this.#waiting = [];
    for (const waiting of rejected) waiting.reject(toError());
  }

  /** Until a command comes or somebody calls `wake`. */
  sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake();
  }

  /** Requests that have arrived by now are read before the append leaves, unless enough wait already. */
  async gather(): Promise<void> {
    if (this.#waiting.length >= FULL_APPEND) return;
    await new Promise<void>((resolve) => {
      this.#gathered = resolve;
      setImmediate(resolve);
    });
  }
}
