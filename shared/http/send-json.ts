import type { FastifyReply } from 'fastify';

/** Sends a body as JSON. Serialized here because Fastify does not serialize a bare string or boolean. */
export function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.header('Content-Type', 'application/json').send(JSON.stringify(body));
}
