import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';

/**
 * A circuit breaker per webhook, for batches that were not tried yet. A batch that was tried before is retried when it is
 * due, regardless of the breaker: its attempts are limited.
 *
 *                ┌──────────────── delivered ─────────────────┐
 *                ▼                                            │
 *   closed ──failed──▶ failing ──third failure in a row──▶ open ──its time is over──▶ half-open
 *                                                          ▲                            │
 *                                                          └── doubled time ◀──failed───┘
 *
 * failing: batches enqueued before the failure wait for the retries; later ones are tried.
 * open: no batch is tried. half-open: one batch is tried, because the lane runs one at a time.
 *
 * Kept in memory, for one partition. A process that takes over the partition makes one request more than necessary.
 */
export interface Breakers {
  /** Returns why this batch may not be sent now; undefined if it may. */
  holdReason(batch: WebhookBatch, isFirstTime: boolean): string | undefined;
  /** `notBefore` is the end of the pause that the receiver requested, in milliseconds since 1970. */
  recordFailure(webhookId: string, notBefore?: number): void;
  recordSuccess(webhookId: string): void;
  /** Returns the number of open breakers. */
  countOpen(): number;
}

interface BreakersDeps {
  /** Returns the webhook's url. A breaker closes when it changes. */
  urlOf(webhookId: string): unknown;
  /** The longest time that a breaker stays open. */
  readonly maxOpenMs: number;
  readonly now: () => number;
}

interface Failing {
  readonly url: unknown;
  readonly inARow: number;
  readonly lastAt: number;
  readonly openUntil: number;
}

const FIRST_TO_OPEN = 3;
const FIRST_OPEN_MS = 1_000;

export function createBreakers({ urlOf, maxOpenMs, now }: BreakersDeps): Breakers {
  const failing = new Map<string, Failing>();

  function find(webhookId: string): Failing | undefined {
    const found = failing.get(webhookId);
    if (found === undefined || found.url === urlOf(webhookId)) return found;
    failing.delete(webhookId);
    return undefined;
  }

  function openMs(inARow: number): number {
    return inARow < FIRST_TO_OPEN
      ? 0
      : Math.min(FIRST_OPEN_MS * 2 ** (inARow - FIRST_TO_OPEN), maxOpenMs);
  }

  return {
    holdReason({ webhookId, attemptsMade, enqueuedAt, dueAt }, isFirstTime) {
      const found = find(webhookId);
      if (found === undefined) return undefined;
      // `dueAt` of a redelivered batch is the time of the redelivery.
      if (isFirstTime && dueAt <= found.lastAt) return 'webhook failed in this run';
      const isRedelivered = isFirstTime && dueAt > enqueuedAt;
      return attemptsMade > 0 || isRedelivered || found.openUntil <= now()
        ? undefined
        : 'webhook keeps failing';
    },
    recordFailure(webhookId, notBefore = 0) {
      const inARow = (find(webhookId)?.inARow ?? 0) + 1;
      const lastAt = now();
      const openUntil = Math.max(lastAt + openMs(inARow), notBefore);
      failing.set(webhookId, { url: urlOf(webhookId), inARow, lastAt, openUntil });
    },
    recordSuccess: (webhookId) => void failing.delete(webhookId),
    countOpen: () => [...failing.values()].filter(({ openUntil }) => openUntil > now()).length,
  };
}
