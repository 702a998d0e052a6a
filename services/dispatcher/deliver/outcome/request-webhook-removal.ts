import { request } from 'undici';
import type { DirectoryFollower } from '../../../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../../../shared/domain/errors.ts';

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
