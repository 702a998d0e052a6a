import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { openApiFrame } from './open-api-frame.ts';

/**
 * Collects the schemas of all routes that are registered afterwards, for `server.swagger()`: one operation for each
 * route, which services/query/describe makes one for each entity type.
 */
export async function describeRoutes(server: FastifyInstance): Promise<void> {
  await server.register(fastifySwagger, {
    openapi: openApiFrame(),
    convertConstToEnum: false,
  });
  // In one piece, and kept: during a request a busy machine would take so long that the load balancer gives the api up.
  server.addHook('onReady', async () => void server.swagger());
}
