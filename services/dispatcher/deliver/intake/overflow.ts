/**
 * Which webhooks have batches in webhook-overflow: those whose lane was full although it keeps up. In `webhook-batches`
 * they would block their neighbours. Until none is left there, new batches of such a webhook go behind them, so that
 * older ones are sent first. Kept in memory, for one partition; a process that takes the partition over reads the topic
 * (restore-waiting.ts).
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
