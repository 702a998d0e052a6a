import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../runtime/metrics.ts';
import { createShared } from '../../runtime/share-answers.ts';

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
  'projection',
  'queue',
  'readModel',
  'target',
] as const;

export type ReadinessCheck = (typeof readinessChecks)[number];

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
  /** Why a check fails, where more is known than its name. */
  readonly reasons?: Readonly<Record<string, string>>;
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

/** The readiness with a check of the projection; `obstacle` is why a projector cannot continue. */
export function withProjection(
  { ready, checks }: Readiness,
  obstacle: string | undefined,
  { isRequired }: { readonly isRequired: boolean },
): Readiness {
  const isProjecting = obstacle === undefined;
  return {
    ready: ready && (isProjecting || !isRequired),
    checks: { ...checks, projection: isProjecting },
    ...(isProjecting ? {} : { reasons: { projection: obstacle } }),
  };
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
  const read = createShared(METRICS_KEPT_MS, () => metrics.text());
  server.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await read()),
  );
}

/** Anybody may ask: working the numbers out anew is done at most this often. */
const METRICS_KEPT_MS = 1_000;
