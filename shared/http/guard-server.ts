import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../domain/errors.ts';
import { addressOf } from './address-of.ts';

interface GuardSettings {
  readonly requestsPerSecond: number;
  readonly corsOrigins: readonly string[];
  readonly provenUserId: (request: FastifyRequest) => string | undefined;
}

const maxAgeSeconds = 600;
/** Whoever asked longest ago is forgotten first. */
const maxCallers = 10_000;

/** Headers of answers that scripts in pages may read. */
const exposedHeaders = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Preference-Applied',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Consistency-Token',
  'X-Record-Link-Updated',
  'X-Status-Reason',
];

/** CORS and the rate limit, where the operator wants them; before any route, or it goes without. */
export async function guardServer(server: FastifyInstance, settings: GuardSettings): Promise<void> {
  if (settings.corsOrigins.length > 0) await allowOrigins(server, settings.corsOrigins);
  if (settings.requestsPerSecond > 0) await limitRate(server, settings);
}

/** A preflight is answered before anybody asks for credentials: browsers send none with it. */
async function allowOrigins(server: FastifyInstance, origins: readonly string[]): Promise<void> {
  await server.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    maxAge: maxAgeSeconds,
    strictPreflight: false,
  });
}

/**
 * Who proves to be somebody without a password being hashed has a limit of their own; all others share that of their
 * address, so that guesses cost the guessed user nothing. Counted in each process by itself.
 */
async function limitRate(
  server: FastifyInstance,
  { requestsPerSecond, provenUserId }: GuardSettings,
): Promise<void> {
  await server.register(rateLimit, {
    max: requestsPerSecond,
    timeWindow: 1_000,
    cache: maxCallers,
    enableDraftSpec: true,
    keyGenerator: (request) => {
      const userId = provenUserId(request);
      return userId === undefined ? `address ${addressOf(request)}` : `user ${userId}`;
    },
    errorResponseBuilder: () =>
      new Refusal('too_many_requests', 'rate.limited', 'Too many requests.'),
  });
}
