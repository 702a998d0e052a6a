import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { DirectoryFollower } from '../../../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../../../shared/domain/errors.ts';
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

const TIMEOUT_MS = 10_000;

/**
 * Returns a function that removes a webhook after a 410. It sends a command to the owner of the directory log, whose
 * address is in the last valid fence. Throws Unavailable if the command fails.
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
