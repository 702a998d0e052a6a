import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../runtime/metrics.ts';

/** docs/operations/runbook.md explains each check, and docs/operations/observe.md lists the checks of each service. */
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

type ReadinessCheck = (typeof readinessChecks)[number];

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
  /** The reasons why checks fail, for checks whose name does not say enough. */
  readonly reasons?: Readonly<Record<string, string>>;
}

export interface Health {
  readonly ready: () => Promise<Readiness>;
  /** Undefined if this server does not serve metrics. */
  readonly metrics: Metrics | undefined;
}

/** Returns the failing checks, with their reasons if known. */
export function listFailing({ checks = {}, reasons = {} }: Partial<Readiness>): readonly string[] {
  return Object.keys(checks).flatMap((check) => {
    if (checks[check] === true) return [];
    return [reasons[check] === undefined ? check : `${check}: ${reasons[check]}`];
  });
}

/** The process is ready if every check is true. */
export function toReadiness<Check extends ReadinessCheck>(
  checks: Readonly<Record<Check, boolean>>,
): Readiness {
  return { ready: Object.values(checks).every(Boolean), checks };
}

/** Adds a check for the projection; `obstacle` is the reason why a projector cannot continue. */
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
 * Serves `/livez`, which succeeds while the process is alive, `/readyz`, which succeeds while it can work, and
 * `/metrics` for Prometheus. These endpoints need no credentials, and their responses contain no secrets.
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

/** The endpoint needs no credentials, so all readers share one rendering per interval. */
const METRICS_EVERY_MS = 1_000;

/**
 * Renders at most once per interval for all waiting readers. A reader who comes too early waits for the next rendering.
 * This also limits the number of responses, because sending a response costs more than rendering it.
 */
function shareRendering(everyMs: number, render: () => Promise<string>): () => Promise<Buffer> {
  let endedAt = Number.NEGATIVE_INFINITY;
  let current: Promise<Buffer> | undefined;
  const renderNext = async (): Promise<Buffer> => {
    try {
      const waitMs = endedAt + everyMs - performance.now();
      if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
      return Buffer.from(await render());
    } finally {
      endedAt = performance.now();
      current = undefined;
    }
  };
  return async () => {
    current ??= renderNext();
    return current;
  };
}
