import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

/** Where a request comes from, as limits count it: of IPv6 the /64 network, which one subscriber has as a whole. */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return normalizeIP(ip);
}
