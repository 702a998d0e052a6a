import { request } from 'undici';
import { Unavailable } from '../domain/errors.ts';
import type { DirectoryFollower } from './directory-follower.ts';

const TIMEOUT_MS = 10_000;

interface OwnerRequest {
  readonly method: 'DELETE' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** Sends a request to the owner of the directory and resolves with its JSON response. Throws Unavailable. */
export type RequestOwner = (request: OwnerRequest) => Promise<unknown>;

/**
 * For processes without a writer: they send their few writes to the api that owns the directory, whose address is in
 * the last valid fence.
 */
export function createRequestOwner(
  follower: Pick<DirectoryFollower, 'ownerAddress'>,
  internalToken: string,
): RequestOwner {
  return async ({ method, path, body: sent }) => {
    const owner = follower.ownerAddress();
    if (owner === undefined) throw new Unavailable('the directory has no owner yet');
    try {
      const { statusCode, body } = await request(`${owner}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${internalToken}`,
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: sent === undefined ? null : JSON.stringify(sent),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = await body.text();
      if (statusCode !== 200) throw new Error(`HTTP status ${statusCode}`);
      return JSON.parse(answer);
    } catch (cause) {
      throw new Unavailable(`the owner of the directory did not carry out ${method} ${path}`, {
        cause,
      });
    }
  };
}
