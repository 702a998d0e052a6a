import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { openApiFrame } from './open-api-frame.ts';

/**
 * Collects the schemas of all routes that are registered afterwards for `server.swagger()`. Each route yields one
 * operation, which services/query/openapi expands to one per entity type.
 */
export async function describeRoutes(server: FastifyInstance): Promise<void> {
  await server.register(fastifySwagger, {
    openapi: openApiFrame(),
    convertConstToEnum: false,
  });
  // Generate the document now and cache it: on a busy machine, generating it during a request would take long enough
  // for the load balancer to mark the api as down.
  server.addHook('onReady', async () => void server.swagger());
}
