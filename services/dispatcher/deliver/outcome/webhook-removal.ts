import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** The webhooks of one partition whose receivers responded 410. */
export interface WebhookRemoval {
  /** Removes the webhook, with as many attempts as necessary. Returns false if closed before it succeeds. */
  remove(webhookId: string): Promise<boolean>;
  /** Whether `remove` was called for the webhook. */
  has(webhookId: string): boolean;
  close(): void;
}

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 30_000;

/** Keeps the ids after the removal, because this process may read it from the directory later. */
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
        log.warn({ webhookId, delayMs, err: error }, 'webhook not removed, retrying');
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
