import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Refusal } from '../../domain/errors.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import { type Health, registerHealth } from '../observe/register-health.ts';
import { buildServer } from './build-server.ts';

export interface InternalServer {
  /** The server for routes between an installation's processes; register routes before `listen`. */
  readonly server: FastifyInstance;
  /** Returns the address for other processes, `http://host:port`, with the real port if 0 was configured. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

interface InternalServerOptions extends Health {
  readonly metrics: Metrics;
  readonly host: string;
  readonly port: number;
  /** The host name for other processes, if it differs from `host`. */
  readonly advertisedHost?: string | undefined;
  readonly log: Logger;
  /** Called with every unexpected request error. */
  readonly onBug?: () => void;
}

/** Creates a second listener for health checks and for requests between processes. */
export function createInternalServer(options: InternalServerOptions): InternalServer {
  const { host, port, ready, metrics } = options;
  // Health checks arrive every few seconds and are not logged.
  const server = buildServer({
    log: options.log.child({}, { level: 'warn' }),
    bodyLimitBytes: BODY_LIMIT_BYTES,
    ...(options.onBug === undefined ? {} : { onBug: options.onBug }),
  });
  registerHealth(server, { ready, metrics });
  metrics.read('annals_ready', async () => {
    const { checks } = await ready();
    return Object.entries(checks).map(([check, holds]) => ({
      labels: { check },
      value: Number(holds),
    }));
  });
  return {
    server,
    listen: async () => toAdvertised(await server.listen({ host, port }), options.advertisedHost),
    close: async () => server.close(),
  };
}

function toAdvertised(address: string, host: string | undefined): string {
  if (host === undefined) return address;
  const { protocol, port } = new URL(address);
  return `${protocol}//${host}:${port}`;
}

/** Returns a check that rejects requests without the internal token as `Authorization: Bearer`. */
export function requireInternalToken(token: string): (request: FastifyRequest) => void {
  const expected = Buffer.from(`Bearer ${token}`);
  return ({ headers }) => {
    const received = Buffer.from(headers.authorization ?? '');
    if (received.length === expected.length && timingSafeEqual(received, expected)) return;
    throw new Refusal(
      'unauthenticated',
      'credentials.invalid',
      'The internal token is missing or wrong.',
    );
  };
}
