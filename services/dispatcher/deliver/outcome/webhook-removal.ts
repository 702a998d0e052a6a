import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { request } from 'undici';
import type { DirectoryFollower } from '../../../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../../../shared/domain/errors.ts';

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

const TIMEOUT_MS = 10_000;

/**
 * Returns a function that removes a webhook after a 410. It sends a command to the owner of the directory log, whose
 * address is in the last valid fence, and throws Unavailable if that fails.
 */
export function createRequestWebhookRemoval(follower: DirectoryFollower, internalToken: string) {
  return async (webhookId: string): Promise<void> => {
    const owner = follower.ownerAddress();
    if (owner === undefined) throw new Unavailable('the directory has no owner yet');
    try {
      const { statusCode, body } = await request(
        `${owner}/internal/webhooks/${encodeURIComponent(webhookId)}`,
        {
          method: 'DELETE',
          headers: { authorization: `Bearer ${internalToken}` },
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
      );
      await body.dump();
      if (statusCode !== 200) throw new Error(`HTTP status ${statusCode}`);
    } catch (cause) {
      throw new Unavailable('the owner of the directory did not remove the webhook', { cause });
    }
  };
}
