import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Webhooks whose receiver answered 410. */
export interface WebhookRemoval {
  /** Has the webhook removed, however often it takes. */
  begin(webhookId: string): void;
  has(webhookId: string): boolean;
  close(): void;
}

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 30_000;

/**
 * The ids stay until the process ends, as the directory may show the removal later than it was answered. If the
 * process ends before it was answered, the webhook's next request meets the same 410.
 */
export function createWebhookRemoval(
  removeWebhook: (webhookId: string) => Promise<void>,
  log: Logger,
): WebhookRemoval {
  const removed = new Set<string>();
  const stopping = new AbortController();

  async function remove(webhookId: string): Promise<void> {
    let delayMs = FIRST_DELAY_MS;
    while (!stopping.signal.aborted) {
      try {
        await removeWebhook(webhookId);
        log.info({ webhookId }, 'webhook removed after 410');
        return;
      } catch (error) {
        log.warn({ webhookId, delayMs, err: error }, 'webhook not removed yet');
      }
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    }
  }

  return {
    begin(webhookId) {
      if (removed.has(webhookId)) return;
      removed.add(webhookId);
      void remove(webhookId);
    },
    has: (webhookId) => removed.has(webhookId),
    close: () => stopping.abort(),
  };
}
