import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';

/**
 * A circuit breaker per webhook, for batches that have not been tried yet. A batch that has been tried is retried when
 * it is due, regardless of the breaker, because its attempts are limited.
 *
 *                ┌──────────────── delivered ─────────────────┐
 *                ▼                                            │
 *   closed ──failed──▶ failing ──third failure in a row──▶ open ──its time is over──▶ half-open
 *                                                          ▲                            │
 *                                                          └── doubled time ◀──failed───┘
 *
 * failing: batches enqueued before the failure are postponed; later ones are tried. open: no batch is tried. half-open:
 * a single batch is tried, because the queue sends one at a time.
 *
 * The state is kept in memory, for one partition. A process that takes over the partition therefore makes one
 * unnecessary request per failing webhook.
 */
export class CircuitBreakers {
  readonly #failing = new Map<string, Failing>();
  readonly #urlOf: (webhookId: string) => unknown;
  readonly #maxOpenMs: number;
  readonly #now: () => number;

  /** `urlOf` is needed because a breaker closes when the url of its webhook changes. */
  constructor(urlOf: (webhookId: string) => unknown, maxOpenMs: number, now: () => number) {
    this.#urlOf = urlOf;
    this.#maxOpenMs = maxOpenMs;
    this.#now = now;
  }

  /** Returns the reason why this batch may not be sent now; undefined if it may be sent. */
  blockReason(
    { webhookId, attemptsMade, enqueuedAt, dueAt }: WebhookBatch,
    isFirstTime: boolean,
  ): string | undefined {
    const found = this.#find(webhookId);
    if (found === undefined) return undefined;
    // The `dueAt` of a redelivered batch is the time at which its redelivery was requested.
    if (isFirstTime && dueAt <= found.lastAt) return 'webhook failed in this run';
    const isRedelivered = isFirstTime && dueAt > enqueuedAt;
    return attemptsMade > 0 || isRedelivered || found.openUntil <= this.#now()
      ? undefined
      : 'webhook keeps failing';
  }

  /** `notBefore` is the end of the pause that the receiver requested, in milliseconds since 1970. */
  recordFailure(webhookId: string, notBefore = 0): void {
    const inARow = (this.#find(webhookId)?.inARow ?? 0) + 1;
    const lastAt = this.#now();
    const openUntil = Math.max(lastAt + this.#openMs(inARow), notBefore);
    this.#failing.set(webhookId, { url: this.#urlOf(webhookId), inARow, lastAt, openUntil });
  }

  recordSuccess(webhookId: string): void {
    this.#failing.delete(webhookId);
  }

  countOpen(): number {
    return [...this.#failing.values()].filter(({ openUntil }) => openUntil > this.#now()).length;
  }

  #find(webhookId: string): Failing | undefined {
    const found = this.#failing.get(webhookId);
    if (found === undefined || found.url === this.#urlOf(webhookId)) return found;
    this.#failing.delete(webhookId);
    return undefined;
  }

  #openMs(inARow: number): number {
    return inARow < FIRST_TO_OPEN
      ? 0
      : Math.min(FIRST_OPEN_MS * 2 ** (inARow - FIRST_TO_OPEN), this.#maxOpenMs);
  }
}

interface Failing {
  readonly url: unknown;
  readonly inARow: number;
  readonly lastAt: number;
  readonly openUntil: number;
}

const FIRST_TO_OPEN = 3;
const FIRST_OPEN_MS = 1_000;
