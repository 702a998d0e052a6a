import type { FastifyInstance } from 'fastify';
import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import { Refusal, StorageLow } from '../../../shared/domain/errors.ts';
import { requireInternalToken } from '../../../shared/http/server/internal-server.ts';
import { inTime } from '../../../shared/runtime/in-time.ts';
import { NotOwner } from '../writer/not-owner.ts';
import type { Executed } from './command.ts';
import { type ForwardedCommand, serializeRefusal, toNote } from './protocol.ts';
import { KNOWN_WITHIN_MS } from './wait-for-peers.ts';

/** Operations that other processes request. Each throws Unavailable while the service starts. */
interface InternalOperations {
  readonly internalToken: string;
  readonly follower: DirectoryFollower;
  readonly executeForwarded: (command: ForwardedCommand) => Promise<Executed>;
  /** Does nothing if the webhook does not exist. */
  readonly removeWebhook: (id: string) => Promise<void>;
}

/** Registers the routes for requests between an installation's processes, which authenticate with a token. */
export function registerInternalRoutes(
  server: FastifyInstance,
  { internalToken, follower, executeForwarded, removeWebhook }: InternalOperations,
): void {
  const requireToken = requireInternalToken(internalToken);

  /** Decides a forwarded command. Responds with 421 if this instance is not the owner either. */
  server.post<{ Body: ForwardedCommand }>('/internal/commands', async (request, reply) => {
    requireToken(request);
    try {
      return toNote(await executeForwarded(request.body));
    } catch (error) {
      if (error instanceof NotOwner) {
        return reply.code(421).send({ ownerAddress: error.ownerAddress ?? null });
      }
      if (error instanceof StorageLow) return reply.code(507).send({});
      if (!(error instanceof Refusal)) throw error;
      return reply.code(409).send(serializeRefusal(error));
    }
  });

  /** Responds when this process has read the directory up to the offset. */
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

  /** Removes a webhook whose receiver responded with 410 to a dispatcher. */
  server.delete<{ Params: { readonly id: string } }>('/internal/webhooks/:id', async (request) => {
    requireToken(request);
    await removeWebhook(request.params.id);
    return { removed: true };
  });
}
