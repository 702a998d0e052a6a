import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';

/**
 * A circuit breaker per webhook, for batches that were not tried yet. A batch that was tried before comes back at its
 * own time, regardless of the breaker: its attempts are limited.
 *
 *                ┌──────────────── delivered ─────────────────┐
 *                ▼                                            │
 *   closed ──failed──▶ failing ──a third time in a row──▶ open ──its time is over──▶ half-open
 *                                                          ▲                            │
 *                                                          └── twice as long ◀──failed──┘
 *
 * failing: batches enqueued before the failure wait for the retries; later ones are tried.
 * open: no batch is tried. half-open: the next batch is tried; the lane starts no other one before it has ended.
 *
 * Kept in memory, for one partition: a process that takes it over makes one request more than necessary.
 */
export interface Breakers {
  /** Why this batch may not be sent now; undefined if it may. */
  holdReason(batch: WebhookBatch, isFirstTime: boolean): string | undefined;
  /** `notBefore` is the end of the pause that the receiver asked for, in milliseconds since 1970. */
  noteFailure(webhookId: string, notBefore?: number): void;
  noteSuccess(webhookId: string): void;
  /** How many breakers are open. */
  countOpen(): number;
}

interface BreakersDeps {
  /** The webhook's url. A breaker closes when it changes. */
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
      // For a batch that was enqueued again, the time of that counts.
      if (isFirstTime && dueAt <= found.lastAt) return 'webhook failed in this run';
      const isAskedFor = isFirstTime && dueAt > enqueuedAt;
      return attemptsMade > 0 || isAskedFor || found.openUntil <= now()
        ? undefined
        : 'webhook fails again and again';
    },
    noteFailure(webhookId, notBefore = 0) {
      const inARow = (find(webhookId)?.inARow ?? 0) + 1;
      const lastAt = now();
      const openUntil = Math.max(lastAt + openMs(inARow), notBefore);
      failing.set(webhookId, { url: urlOf(webhookId), inARow, lastAt, openUntil });
    },
    noteSuccess: (webhookId) => void failing.delete(webhookId),
    countOpen: () => [...failing.values()].filter(({ openUntil }) => openUntil > now()).length,
  };
}
