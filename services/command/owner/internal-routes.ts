import type { FastifyInstance } from 'fastify';
import { Refusal, StorageLow } from '../../../shared/domain/errors.ts';
import { requireInternalToken } from '../../../shared/http/server/internal-server.ts';
import { NotOwner } from '../writer/not-owner.ts';
import type { Executed } from './command.ts';
import { type ForwardedCommand, serializeRefusal, toNote } from './protocol.ts';

/** Operations that other processes request. Each throws Unavailable while the service starts. */
interface InternalOperations {
  readonly internalToken: string;
  readonly executeForwarded: (command: ForwardedCommand) => Promise<Executed>;
  /** Does nothing if the webhook does not exist. */
  readonly removeWebhook: (id: string) => Promise<void>;
}

/** Registers the routes for requests between an installation's processes, which authenticate with a token. */
export function registerInternalRoutes(
  server: FastifyInstance,
  { internalToken, executeForwarded, removeWebhook }: InternalOperations,
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

  /** Removes a webhook whose receiver responded with 410 to a dispatcher. */
  server.delete<{ Params: { readonly id: string } }>('/internal/webhooks/:id', async (request) => {
    requireToken(request);
    await removeWebhook(request.params.id);
    return { removed: true };
  });
}
