import type { FastifyInstance } from 'fastify';
import type { DirectoryFollower } from '../directory/directory-follower.ts';
import { Refusal } from '../domain/errors.ts';
import { inTime } from '../runtime/in-time.ts';
import { requireInternalToken } from './server/internal-server.ts';

/**
 * A live process reads the directory within milliseconds. A process that is silent for this long has been cut off by
 * the load balancer (docs/adr/0005, docs/adr/0059), so it serves no outdated data when it resumes.
 */
export const KNOWN_WITHIN_MS = 1_500;

/** Serves the route that responds when this process has read the directory up to an offset. */
export function serveDirectoryProgress(
  server: FastifyInstance,
  internalToken: string,
  follower: Pick<DirectoryFollower, 'waitFor'>,
): void {
  const requireToken = requireInternalToken(internalToken);
  server.get<{ Params: { readonly offset: string } }>(
    '/internal/directory/:offset',
    async (request) => {
      requireToken(request);
      const { offset } = request.params;
      if (!/^\d{1,19}$/.test(offset)) {
        throw new Refusal('invalid', 'parameter.invalid', 'The offset must be a whole number.');
      }
      await inTime(follower.waitFor(BigInt(offset)), KNOWN_WITHIN_MS);
      return { known: true };
    },
  );
}
