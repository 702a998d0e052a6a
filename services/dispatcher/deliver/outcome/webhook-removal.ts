import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestOwner } from '../../../../shared/directory/request-owner.ts';
import type { DispatcherContext } from '../../context.ts';

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 30_000;

/**
 * Removes the webhooks of one partition whose receivers responded with 410. Keeps their ids after the removal, because
 * this process may not have read it from the directory yet.
 */
export class WebhookRemoval {
  readonly #context: DispatcherContext;
  readonly #removals = new Map<string, Promise<boolean>>();
  readonly #stopping = new AbortController();

  constructor(context: DispatcherContext) {
    this.#context = context;
  }

  /** Returns true if `remove` was called for the webhook. */
  has(webhookId: string): boolean {
    return this.#removals.has(webhookId);
  }

  /** Removes the webhook, and retries until it succeeds. Resolves with false if `close` is called before that. */
  remove(webhookId: string): Promise<boolean> {
    const removal = this.#removals.get(webhookId) ?? this.#keepRemoving(webhookId);
    this.#removals.set(webhookId, removal);
    return removal;
  }

  close(): void {
    this.#stopping.abort();
  }

  async #keepRemoving(webhookId: string): Promise<boolean> {
    const { log, removeWebhook } = this.#context;
    const { signal } = this.#stopping;
    let delayMs = FIRST_DELAY_MS;
    while (!signal.aborted) {
      try {
        await removeWebhook(webhookId);
        log.info({ webhookId }, 'webhook removed after 410');
        return true;
      } catch (error) {
        log.warn({ webhookId, delayMs, err: error }, 'webhook could not be removed, retrying');
      }
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    }
    return false;
  }
}

/** Returns a function that removes a webhook after a 410. */
export function createRequestWebhookRemoval(requestOwner: RequestOwner) {
  return async (webhookId: string): Promise<void> => {
    await requestOwner({
      method: 'DELETE',
      path: `/internal/webhooks/${encodeURIComponent(webhookId)}`,
    });
  };
}
