import { Agent } from 'undici';

/**
 * A live instance reads the directory within milliseconds. An instance that is silent for this long has been cut off by
 * the load balancer (services/load-balancer/target.ts), so it serves no outdated data when it resumes.
 */
export const KNOWN_WITHIN_MS = 1_500;

/** The in-memory directories of the other instances, any of which may receive the client's next request. */
export interface PeerDirectories {
  /**
   * Resolves when all other instances have read the directory up to the offset. Ignores instances that are gone or
   * silent.
   */
  waitFor(offset: bigint): Promise<void>;
  close(): Promise<void>;
}

/** `others` returns the internal addresses of all other instances that accept commands. */
export function openPeerDirectories(
  internalToken: string,
  others: () => readonly string[],
): PeerDirectories {
  const agent = new Agent({ connect: { timeout: KNOWN_WITHIN_MS }, connections: 16 });
  const headers = { authorization: `Bearer ${internalToken}` };

  async function request(address: string, offset: bigint): Promise<void> {
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
    async waitFor(offset) {
      await Promise.allSettled(others().map(async (address) => request(address, offset)));
    },
    close: () => agent.destroy(),
  };
}
