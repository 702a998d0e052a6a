import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Webhooks of one partition whose receiver answered 410. */
export interface WebhookRemoval {
  /** Removes the webhook, with as many attempts as it takes. False if closed before. */
  remove(webhookId: string): Promise<boolean>;
  /** Whether its removal was requested. */
  has(webhookId: string): boolean;
  close(): void;
}

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 30_000;

/** The ids are kept until the end, because the directory may show the removal later than it was acknowledged. */
export function createWebhookRemoval(
  removeWebhook: (webhookId: string) => Promise<void>,
  log: Logger,
): WebhookRemoval {
  const removals = new Map<string, Promise<boolean>>();
  const stopping = new AbortController();

  async function keepRemoving(webhookId: string): Promise<boolean> {
    let delayMs = FIRST_DELAY_MS;
    while (!stopping.signal.aborted) {
      try {
        await removeWebhook(webhookId);
        log.info({ webhookId }, 'webhook removed after 410');
        return true;
      } catch (error) {
        log.warn({ webhookId, delayMs, err: error }, 'webhook not removed yet');
      }
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    }
    return false;
  }

  return {
    remove(webhookId) {
      const removal = removals.get(webhookId) ?? keepRemoving(webhookId);
      removals.set(webhookId, removal);
      return removal;
    },
    has: (webhookId) => removals.has(webhookId),
    close: () => stopping.abort(),
  };
}
