/**
 * Which webhooks have batches in webhook-overflow: those whose lane was full though it keeps up. In `webhook-batches`
 * they would hold up their neighbours. Until none is left there, what is enqueued for such a webhook goes behind them,
 * so that old batches do not wait for new ones. In memory, for one partition; whoever takes the partition over reads
 * from the topic what stands there (restore-waiting.ts).
 */
export interface Overflow {
  holds(webhookId: string): boolean;
  enter(webhookId: string): void;
  leave(webhookId: string): void;
}

export function createOverflow(): Overflow {
  const counts = new Map<string, number>();
  return {
    holds: (webhookId) => counts.has(webhookId),
    enter: (webhookId) => void counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1),
    leave(webhookId) {
      const left = (counts.get(webhookId) ?? 0) - 1;
      if (left > 0) counts.set(webhookId, left);
      else counts.delete(webhookId);
    },
  };
}
