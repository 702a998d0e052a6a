import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

/** The address that limits count for a request: for IPv6 the /64 network, which belongs to one subscriber. */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return normalizeIP(ip);
}
