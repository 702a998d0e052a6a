import { Unavailable } from '../domain/errors.ts';

export interface SearchTurnsOptions {
  /** Maximum number of searches at once. */
  readonly capacity: number;
  /** How long a search waits for its turn. */
  readonly maxWaitMs: number;
  /** A user with a slower search gets only one search at a time for a while. */
  readonly slowAfterMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

interface Searcher {
  readonly userId: string;
  readonly running: Set<{ readonly startedAt: number }>;
  /** Each call starts a search; the oldest comes first. */
  readonly waiting: Set<() => void>;
}

/** Per user; further searches are refused at once. */
const MAX_WAITING = 100;
/** A search of one second restricts its user to one search at a time for this many seconds. */
const SLOW_FOR = 4;
const RETRY_AFTER_SECONDS = 2;

/**
 * Shares the connections for searches among users.
 *
 *   take ──▶ running ──▶ ended       if the user has less than their share, and there is room
 *     └────▶ waiting ──▶ running     when another one ends: users take turns, each with the oldest search
 *                 └────▶ refused     after `maxWaitMs`, or at once if MAX_WAITING of the user wait
 *
 * A running search is not interrupted before its time limit, so one user must never have all the room. The share is
 * half of it, and a single search while the user's searches are slow, since two of them would keep both processors of a
 * small database busy.
 */
export class SearchTurns {
  readonly #options: SearchTurnsOptions;
  readonly #share: number;
  /** Users with a search that runs or waits, in the order of their turns. */
  readonly #searchers = new Map<string, Searcher>();
  /** By user, for users with slow searches. */
  readonly #slowUntil = new Map<string, number>();
  #running = 0;

  constructor(options: SearchTurnsOptions) {
    this.#options = options;
    this.#share = Math.max(1, Math.floor(options.capacity / 2));
  }

  get waitingCount(): number {
    return [...this.#searchers.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /** Waits for the user's turn, and returns the function that ends it. Throws Unavailable if the turn does not come. */
  async take(userId: string): Promise<() => void> {
    const searcher = this.#searcherOf(userId);
    const { waiting } = searcher;
    if (waiting.size === 0 && this.#hasRoomFor(searcher)) return this.#start(searcher);
    if (waiting.size >= MAX_WAITING) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const start = () => {
      clearTimeout(timer);
      resolve(this.#start(searcher));
    };
    const timer = setTimeout(() => {
      waiting.delete(start);
      this.#forgetIdle(searcher);
      reject(busy());
    }, this.#options.maxWaitMs);
    waiting.add(start);
    return promise;
  }

  #searcherOf(userId: string): Searcher {
    const known = this.#searchers.get(userId);
    if (known !== undefined) return known;
    const searcher: Searcher = { userId, running: new Set(), waiting: new Set() };
    this.#searchers.set(userId, searcher);
    return searcher;
  }

  #hasRoomFor(searcher: Searcher): boolean {
    const share = this.#isSlow(searcher) ? 1 : this.#share;
    return this.#running < this.#options.capacity && searcher.running.size < share;
  }

  #isSlow({ userId, running }: Searcher): boolean {
    const { now, slowAfterMs } = this.#options;
    const isSlowNow = [...running].some(({ startedAt }) => now() - startedAt > slowAfterMs);
    return isSlowNow || now() < (this.#slowUntil.get(userId) ?? 0);
  }

  #start(searcher: Searcher): () => void {
    const search = { startedAt: this.#options.now() };
    searcher.running.add(search);
    this.#running += 1;
    // The user moves behind all others.
    this.#searchers.delete(searcher.userId);
    this.#searchers.set(searcher.userId, searcher);
    return () => {
      if (!searcher.running.delete(search)) return;
      this.#running -= 1;
      this.#noteTime(searcher, this.#options.now() - search.startedAt);
      this.#startWaiting();
      this.#forgetIdle(searcher);
    };
  }

  #noteTime({ userId }: Searcher, tookMs: number): void {
    if (tookMs <= this.#options.slowAfterMs) return;
    const until = this.#options.now() + tookMs * SLOW_FOR;
    this.#slowUntil.set(userId, Math.max(until, this.#slowUntil.get(userId) ?? 0));
  }

  #startWaiting(): void {
    for (;;) {
      const next = this.#searchers
        .values()
        .find((searcher) => searcher.waiting.size > 0 && this.#hasRoomFor(searcher));
      const [start] = next?.waiting ?? [];
      if (start === undefined) return;
      next?.waiting.delete(start);
      start();
    }
  }

  #forgetIdle({ userId, running, waiting }: Searcher): void {
    if (running.size + waiting.size === 0) this.#searchers.delete(userId);
  }
}

function busy(): Unavailable {
  return new Unavailable(
    'Too many searches are running: try again in a moment, with fewer at a time.',
    { code: 'search.busy', retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
