import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../runtime/metrics.ts';
import { shareRendering } from './share-rendering.ts';

/** docs/operations/runbook.md explains each check, docs/operations/observe.md says which service has which. */
export const readinessChecks = [
  'accessFile',
  'assigned',
  'delivery',
  'directory',
  'kafka',
  'listening',
  'log',
  'postgres',
  'queue',
  'readModel',
  'target',
] as const;

export type ReadinessCheck = (typeof readinessChecks)[number];

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
}

export interface Health {
  readonly ready: () => Promise<Readiness>;
  /** Undefined if they are not served here. */
  readonly metrics: Metrics | undefined;
}

/** Ready if every check is true. */
export function toReadiness<Check extends ReadinessCheck>(
  checks: Readonly<Record<Check, boolean>>,
): Readiness {
  return { ready: Object.values(checks).every(Boolean), checks };
}

/**
 * `/livez` while the process lives, `/readyz` while it can work, `/metrics` for Prometheus. They need no credentials
 * and have no secrets.
 */
export function registerHealth(server: FastifyInstance, { ready, metrics }: Health): void {
  server.get('/livez', () => ({ alive: true }));
  server.get('/readyz', async (_request, reply) => {
    const readiness = await ready();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
  if (metrics === undefined) return;
  const read = shareRendering(METRICS_EVERY_MS, () => metrics.text());
  server.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await read()),
  );
}

/** Readers need no credentials: all of them together get a response at most this often. */
const METRICS_EVERY_MS = 1_000;
