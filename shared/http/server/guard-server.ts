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
/** Beyond this number, the least recently active caller is dropped. */
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

/** Adds CORS and the rate limit if the operator configured them. Call this before registering routes. */
export async function guardServer(server: FastifyInstance, settings: GuardSettings): Promise<void> {
  if (settings.corsOrigins.length > 0) await allowOrigins(server, settings.corsOrigins);
  if (settings.requestsPerSecond > 0) await limitRate(server, settings);
}

/** Responds to preflights before authentication: browsers send no credentials with preflights. */
async function allowOrigins(server: FastifyInstance, origins: readonly string[]): Promise<void> {
  await server.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    maxAge: MAX_AGE_SECONDS,
    strictPreflight: false,
  });
  // The plugin echoes all requested header names into the preflight response, without a limit.
  server.addHook('onSend', (_request, reply, payload, done) => {
    const names = String(reply.getHeader(allowedHeaders) ?? '');
    if (names.length > MAX_ALLOWED_LENGTH) void reply.removeHeader(allowedHeaders);
    done(null, payload);
  });
}

/**
 * Limits the request rate. Users who are authenticated without hashing a password each have a separate limit; all other
 * requests count against the limit for their address, so wrong guesses do not use up the limit of the guessed user.
 * Each process counts independently.
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
