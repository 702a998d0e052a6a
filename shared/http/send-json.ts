import type { FastifyReply } from 'fastify';

/** As JSON text: Fastify sends a bare boolean or string only when it serialises it itself. */
export function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.header('Content-Type', 'application/json').send(JSON.stringify(body));
}
