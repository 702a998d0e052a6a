import type { Waiting } from './submission.ts';

/**
 * A batch of this size is appended without waiting for more commands, so that the log and the projector work while the
 * next requests are read. Larger batches cost less per command, but make each process wait for the other two. In
 * measurements with 64 and 256 clients, 32 allowed a sixth to a third more writes than 64 or no limit.
 */
export const FULL_APPEND = 32;
/** Maximum number of waiting commands. Any further commands would only miss their deadlines. */
const MAX_WAITING = 10_000;

/** The queue of commands that wait for a decision, with a single loop as its consumer. */
export class CommandQueue {
  #waiting: Waiting[] = [];
  #wake: () => void = () => undefined;
  #gathered: () => void = () => undefined;

  get length(): number {
    return this.#waiting.length;
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

  /** Puts commands back at the head of the queue, in this order. */
  putBack(waiting: readonly Waiting[]): void {
    if (waiting.length > 0) this.#waiting = [...waiting, ...this.#waiting];
  }

  rejectAll(toError: () => Error): void {
    const rejected = this.#waiting;
    this.#waiting = [];
    for (const waiting of rejected) waiting.reject(toError());
  }

  /** Resolves when a command arrives or `wake` is called. */
  sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake();
  }

  /** Lets requests that have already arrived join the batch, unless it is full. */
  async gather(): Promise<void> {
    if (this.#waiting.length >= FULL_APPEND) return;
    await new Promise<void>((resolve) => {
      this.#gathered = resolve;
      setImmediate(resolve);
    });
  }
}
