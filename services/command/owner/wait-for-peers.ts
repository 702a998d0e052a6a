import { Agent } from 'undici';
import { KNOWN_WITHIN_MS } from '../../../shared/http/serve-directory-progress.ts';

/** The in-memory directories of the other processes, any of which may receive the client's next request. */
export interface PeerDirectories {
  /**
   * Resolves when all other apis and query processes have read the directory up to the offset. Ignores processes that
   * are gone or silent.
   */
  waitFor(offset: bigint): Promise<void>;
  close(): Promise<void>;
}

/** `others` returns the internal addresses of all other apis, and of the query processes. */
export function openPeerDirectories(
  internalToken: string,
  others: () => Promise<readonly string[]>,
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
      await Promise.allSettled((await others()).map(async (address) => request(address, offset)));
    },
    close: () => agent.destroy(),
  };
}
