import type { FastifyReply } from 'fastify';

/** Sends a body as JSON. Serialized here because Fastify does not serialize a bare string or boolean. */
export function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  // Without a serializer, Fastify would append a charset to the type of a text.
  return reply
    .header('Content-Type', 'application/json')
    .serializer(unchanged)
    .send(JSON.stringify(body));
}

function unchanged(text: string): string {
  return text;
}
