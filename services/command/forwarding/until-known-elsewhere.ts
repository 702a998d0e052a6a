import { Agent } from 'undici';

/**
 * A live instance follows the directory within milliseconds. One that does not answer for so long has lost its clients by
 * then (services/load-balancer/target.ts), so that none of them hears from it what holds no more once it wakes up.
 */
export const KNOWN_WITHIN_MS = 1_500;

/** The memory of the other instances, each of which may get the next request of who wrote something. */
export interface Elsewhere {
  /** Resolves when they have everything of the directory below the offset; without those that are gone or silent. */
  until(offset: bigint): Promise<void>;
  close(): Promise<void>;
}

/** `others` are the internal addresses of the instances that take commands beside this one. */
export function createUntilKnownElsewhere(
  internalToken: string,
  others: () => readonly string[],
): Elsewhere {
  const agent = new Agent({ connect: { timeout: KNOWN_WITHIN_MS }, connections: 16 });
  const headers = { authorization: `Bearer ${internalToken}` };

  async function ask(address: string, offset: bigint): Promise<void> {
    const { body } = await agent.request({
      origin: address,
      path: `/internal/directory/${offset}`,
      method: 'GET',
      headers,
      signal: AbortSignal.timeout(KNOWN_WITHIN_MS),
    });
    await body.dump();
  }

  return {
    async until(offset) {
      await Promise.allSettled(others().map(async (address) => ask(address, offset)));
    },
    close: () => agent.destroy(),
  };
}
