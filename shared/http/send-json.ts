import type { FastifyReply } from 'fastify';

/** Sends a body as JSON, serialised here: Fastify does not serialise a bare string or boolean by itself. */
export function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.header('Content-Type', 'application/json').send(JSON.stringify(body));
}
