import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Refusal } from '../domain/errors.ts';
import { buildServer } from './build-server.ts';

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
}

export interface InternalServer {
  /** For routes between the processes of one installation; register them before `listen`. */
  readonly server: FastifyInstance;
  /** Answers where others reach it, `http://host:port`, with the real port when 0 was asked for. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

const bodyLimitBytes = 4 * 1024 * 1024;

/** A listener beside the API, for whoever supervises: `/livez` while the process lives, `/readyz` once it can work. */
export function createInternalServer(deps: {
  readonly host: string;
  readonly port: number;
  /** Under which others reach it, where that is not `host`. */
  readonly advertisedHost?: string | undefined;
  readonly log: Logger;
  readonly ready: () => Promise<Readiness>;
}): InternalServer {
  const { host, port, ready } = deps;
  // Health is asked for every few seconds: no line in the log for that.
  const server = buildServer({ log: deps.log.child({}, { level: 'warn' }), bodyLimitBytes });
  server.get('/livez', () => ({ alive: true }));
  server.get('/readyz', async (_request, reply) => {
    const readiness = await ready();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
  return {
    server,
    listen: async () => toAdvertised(await server.listen({ host, port }), deps.advertisedHost),
    close: async () => server.close(),
  };
}

function toAdvertised(address: string, host: string | undefined): string {
  if (host === undefined) return address;
  const { protocol, port } = new URL(address);
  return `${protocol}//${host}:${port}`;
}

/** Refuses a request that does not carry the internal token as `Authorization: Bearer`. */
export function requireInternalToken(token: string): (request: FastifyRequest) => void {
  const expected = Buffer.from(`Bearer ${token}`);
  return ({ headers }) => {
    const given = Buffer.from(headers.authorization ?? '');
    if (given.length === expected.length && timingSafeEqual(given, expected)) return;
    throw new Refusal('unauthenticated', 'credentials.invalid', 'Not the internal token.');
  };
}
