import { Unavailable } from '../domain/errors.ts';

interface SearchTurnsOptions {
  /** Maximum number of concurrent searches. */
  readonly capacity: number;
  /** Maximum time that a search waits for its turn. */
  readonly maxWaitMs: number;
  /** A user with a search slower than this is limited to one search at a time for a while. */
  readonly slowAfterMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

interface Searcher {
  readonly userId: string;
  readonly running: Set<{ readonly startedAt: number }>;
  /** Oldest first. */
  readonly waiting: Set<WaitingSearch>;
  /** Database time of the user's finished searches, on a scale shared by all users. */
  consumedMs: number;
  /** Duration of the user's most recently finished search. */
  lastMs: number;
  /** While true, no search by the user starts. */
  isResting: boolean;
}

interface WaitingSearch {
  readonly start: () => void;
  readonly refuse: () => void;
  readonly isGone: () => boolean;
}

/** Limits per user and for all users together. Further searches are rejected immediately. */
const MAX_WAITING = 1_000;
const MAX_WAITING_TOTAL = 5_000;
/** A user is limited to one search at a time for this multiple of a slow search's duration. */
const SLOW_FOR = 4;
const RETRY_AFTER_SECONDS = 2;
/** Maximum wait behind searches by the same user that take HOPELESS_FACTOR times `slowAfterMs`. */
const HOPELESS_WAIT_MS = 5_000;
const HOPELESS_FACTOR = 4;
/** The number of waiting searches that counts as a backlog. Interactive clients never have that many. */
const BACKLOG = 8;
/** A user counts as present for this long after their last search. */
const PRESENT_MS = 1_000;
/** After a search from a backlog, its user rests for this multiple of the search's duration. */
const REST_FACTOR = 2;

/**
 * Shares the connections for searches among users.
 *
 *   take ──▶ running ──▶ ended       if the user is below their share and there is capacity
 *     └────▶ waiting ──▶ running     when another search ends: the oldest one of the user with the least database time
 *                 └────▶ refused     after `maxWaitMs`, sooner behind very slow searches of the same user,
 *                                    immediately if the user has MAX_WAITING waiting searches
 *
 * Users share database time, not the number of searches (start-time fair queueing): a user with many or slow searches
 * waits for everyone who has consumed less. Idle time gives no credit: a returning user starts at the consumed time of
 * the most recently started search.
 *
 * A user with a backlog has one search at a time while other users are present, and rests after each one. Rendering a
 * page takes the api as long as finding it takes the database, so other users would otherwise wait for the event loop.
 *
 * A running search is not interrupted before its time limit, so one user must never occupy the whole capacity. The
 * share is half of it, or a single search while the user's searches are slow, because two slow searches would occupy
 * both processors of a small database.
 */
export class SearchTurns {
  readonly #options: SearchTurnsOptions;
  readonly #share: number;
  /** Users with a running or waiting search, in the order of their turns. */
  readonly #searchers = new Map<string, Searcher>();
  /** Keyed by user; contains users with slow searches. */
  readonly #slowUntil = new Map<string, number>();
  /** Keyed by user; contains users without searches whose time exceeds #startedAtMs. */
  readonly #consumedMs = new Map<string, number>();
  /** The highest consumed time of any user at the start of one of their searches. */
  #startedAtMs = 0;
  /** Keyed by user, most recent last. Entries for users who are no longer present are removed. */
  readonly #seenAt = new Map<string, number>();
  #running = 0;
  #waiting = 0;

  constructor(options: SearchTurnsOptions) {
    this.#options = options;
    this.#share = Math.max(1, Math.floor(options.capacity / 2));
  }

  get waitingCount(): number {
    return this.#waiting;
  }

  /**
   * Waits for the user's turn and returns the function that ends it. Throws Unavailable if the wait times out or the
   * client has disconnected.
   */
  async take(userId: string, isGone: () => boolean = () => false): Promise<() => void> {
    const searcher = this.#searcherOf(userId);
    this.#seenAt.delete(userId);
    this.#seenAt.set(userId, this.#options.now());
    const { waiting } = searcher;
    if (waiting.size === 0 && this.#hasRoomFor(searcher)) return this.#start(searcher);
    if (waiting.size >= MAX_WAITING || this.#waiting >= MAX_WAITING_TOTAL) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const leave = () => {
      clearTimeout(timer);
      waiting.delete(search);
      this.#waiting -= 1;
    };
    const search: WaitingSearch = {
      isGone,
      start: () => {
        leave();
        resolve(this.#start(searcher));
      },
      refuse: () => {
        leave();
        this.#forgetIdle(searcher);
        reject(busy());
      },
    };
    const firstMs = Math.min(HOPELESS_WAIT_MS, this.#options.maxWaitMs);
    let timer = setTimeout(() => {
      const leftMs = this.#options.maxWaitMs - firstMs;
      if (leftMs === 0 || this.#isHopeless(searcher)) search.refuse();
      else timer = setTimeout(search.refuse, leftMs);
    }, firstMs);
    waiting.add(search);
    this.#waiting += 1;
    return promise;
  }

  #searcherOf(userId: string): Searcher {
    const known = this.#searchers.get(userId);
    if (known !== undefined) return known;
    const consumedMs = Math.max(this.#consumedMs.get(userId) ?? 0, this.#startedAtMs);
    this.#consumedMs.delete(userId);
    const searcher: Searcher = {
      userId,
      running: new Set(),
      waiting: new Set(),
      consumedMs,
      lastMs: 0,
      isResting: false,
    };
    this.#searchers.set(userId, searcher);
    return searcher;
  }

  /** Includes the time that running searches have taken so far. */
  #consumedBy({ consumedMs, running }: Searcher): number {
    const now = this.#options.now();
    return [...running].reduce((sum, { startedAt }) => sum + now - startedAt, consumedMs);
  }

  #hasRoomFor(searcher: Searcher): boolean {
    if (searcher.isResting) return false;
    const share = this.#isSlow(searcher) || this.#crowdsOut(searcher) ? 1 : this.#share;
    return this.#running < this.#options.capacity && searcher.running.size < share;
  }

  /** True if the user has a backlog while others are present. */
  #crowdsOut({ userId, waiting }: Searcher): boolean {
    if (waiting.size < BACKLOG) return false;
    const until = this.#options.now() - PRESENT_MS;
    for (const [id, at] of this.#seenAt) {
      if (at > until) break;
      this.#seenAt.delete(id);
    }
    return this.#seenAt.size > Number(this.#seenAt.has(userId));
  }

  #isSlow({ userId, running }: Searcher): boolean {
    const { now, slowAfterMs } = this.#options;
    const isSlowNow = [...running].some(({ startedAt }) => now() - startedAt > slowAfterMs);
    return isSlowNow || now() < (this.#slowUntil.get(userId) ?? 0);
  }

  #isHopeless({ running, lastMs }: Searcher): boolean {
    const now = this.#options.now();
    const longestMs = Math.max(lastMs, ...[...running].map(({ startedAt }) => now - startedAt));
    return longestMs > HOPELESS_FACTOR * this.#options.slowAfterMs;
  }

  #start(searcher: Searcher): () => void {
    this.#startedAtMs = Math.max(this.#startedAtMs, this.#consumedBy(searcher));
    const search = { startedAt: this.#options.now() };
    searcher.running.add(search);
    this.#running += 1;
    // Moves the user behind all others.
    this.#searchers.delete(searcher.userId);
    this.#searchers.set(searcher.userId, searcher);
    return () => {
      if (!searcher.running.delete(search)) return;
      this.#running -= 1;
      this.#recordTime(searcher, this.#options.now() - search.startedAt);
      this.#startWaiting();
      this.#forgetIdle(searcher);
    };
  }

  #recordTime(searcher: Searcher, tookMs: number): void {
    searcher.consumedMs += tookMs;
    searcher.lastMs = tookMs;
    const { userId } = searcher;
    if (this.#crowdsOut(searcher)) {
      searcher.isResting = true;
      setTimeout(() => {
        searcher.isResting = false;
        this.#startWaiting();
      }, tookMs * REST_FACTOR).unref();
    }
    if (tookMs <= this.#options.slowAfterMs) return;
    const until = this.#options.now() + tookMs * SLOW_FOR;
    this.#slowUntil.set(userId, Math.max(until, this.#slowUntil.get(userId) ?? 0));
  }

  #startWaiting(): void {
    for (;;) {
      const [search] = this.#nextSearcher()?.waiting ?? [];
      if (search === undefined) return;
      if (search.isGone()) search.refuse();
      else search.start();
    }
  }

  /** Breaks ties in favor of the user whose last search started first. */
  #nextSearcher(): Searcher | undefined {
    let least: { readonly searcher: Searcher; readonly consumedMs: number } | undefined;
    for (const searcher of this.#searchers.values()) {
      if (searcher.waiting.size === 0 || !this.#hasRoomFor(searcher)) continue;
      const consumedMs = this.#consumedBy(searcher);
      if (least === undefined || consumedMs < least.consumedMs) least = { searcher, consumedMs };
    }
    return least?.searcher;
  }

  #forgetIdle({ userId, running, waiting, consumedMs }: Searcher): void {
    if (running.size + waiting.size > 0) return;
    this.#searchers.delete(userId);
    this.#slowUntil.forEach((until, id) => {
      if (until <= this.#options.now()) this.#slowUntil.delete(id);
    });
    this.#consumedMs.forEach((consumed, id) => {
      if (consumed <= this.#startedAtMs) this.#consumedMs.delete(id);
    });
    if (consumedMs > this.#startedAtMs) this.#consumedMs.set(userId, consumedMs);
  }
}

function busy(): Unavailable {
  return new Unavailable(
    'Too many searches are running. Try again in a moment with fewer at a time.',
    { code: 'search.busy', retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
