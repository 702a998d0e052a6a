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
}
