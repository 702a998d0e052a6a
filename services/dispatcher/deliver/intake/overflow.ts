/**
 * The webhooks with batches in webhook-overflow. Their lanes were full although they keep up, and in `webhook-batches`
 * their batches would block others. While batches of a webhook are there, its new batches follow them, so that older ones
 * are sent first. Kept in memory, for one partition. A process that takes over the partition reads the topic
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
