import type { FastifyInstance } from 'fastify';
import type { Lifecycle } from '../../runtime/lifecycle.ts';

/**
 * While the process stops, it still serves requests, and closes each client's connection so that the client reconnects
 * elsewhere.
 */
export function sendClientsAway(
  server: FastifyInstance,
  lifecycle: Pick<Lifecycle, 'isStopping'>,
): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (lifecycle.isStopping()) void reply.header('connection', 'close');
    done(null, payload);
  });
}
