import type { FastifyReply } from 'fastify';

/** Sends JSON text. Fastify serialises a bare boolean or string only with a serializer of its own. */
export function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.header('Content-Type', 'application/json').send(JSON.stringify(body));
}
