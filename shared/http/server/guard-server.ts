import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/errors.ts';
import { addressOf } from '../address/address-of.ts';

interface GuardSettings {
  readonly requestsPerSecond: number;
  readonly corsOrigins: readonly string[];
  readonly provenUserId: (request: FastifyRequest) => string | undefined;
}

const MAX_AGE_SECONDS = 600;
const allowedHeaders = 'access-control-allow-headers';
const MAX_ALLOWED_LENGTH = 2_000;
/** Beyond it the caller that asked longest ago is forgotten. */
const MAX_CALLERS = 10_000;

/** Response headers that scripts in pages may read. */
const exposedHeaders = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Preference-Applied',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-App-Timestamp',
  'X-Consistency-Token',
  'X-Ignored-Attributes',
  'X-Record-Link-Updated',
  'X-Status-Reason',
  'X-Warning',
];

/** Adds CORS and the rate limit, if the operator configured them. It has to be called before routes are registered. */
export async function guardServer(server: FastifyInstance, settings: GuardSettings): Promise<void> {
  if (settings.corsOrigins.length > 0) await allowOrigins(server, settings.corsOrigins);
  if (settings.requestsPerSecond > 0) await limitRate(server, settings);
}

/** Preflights are answered before authentication: browsers send no credentials with them. */
async function allowOrigins(server: FastifyInstance, origins: readonly string[]): Promise<void> {
  await server.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    maxAge: MAX_AGE_SECONDS,
    strictPreflight: false,
  });
  // A preflight is answered with the header names that it asks for, however many there are.
  server.addHook('onSend', (_request, reply, payload, done) => {
    const names = String(reply.getHeader(allowedHeaders) ?? '');
    if (names.length > MAX_ALLOWED_LENGTH) void reply.removeHeader(allowedHeaders);
    done(null, payload);
  });
}

/**
 * Limits the rate. Users that are proved without hashing a password have a limit of their own; all other requests count
 * for their address, so that wrong guesses do not use up the limit of the guessed user. Each process counts by itself.
 */
async function limitRate(
  server: FastifyInstance,
  { requestsPerSecond, provenUserId }: GuardSettings,
): Promise<void> {
  await server.register(rateLimit, {
    max: requestsPerSecond,
    timeWindow: 1_000,
    cache: MAX_CALLERS,
    enableDraftSpec: true,
    keyGenerator: (request) => {
      const userId = provenUserId(request);
      return userId === undefined ? `address ${addressOf(request)}` : `user ${userId}`;
    },
    errorResponseBuilder: () =>
      new Refusal('too_many_requests', 'rate.limited', 'Too many requests.'),
  });
}
