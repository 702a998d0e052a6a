import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

/** Returns the address that rate limits count; for IPv6 the /64 network, which belongs to one subscriber. */
export function addressOf({ ip }: FastifyRequest): string {
  return normalizeIP(ip);
}
