import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createMetrics } from '../runtime/metrics.ts';
import { buildServer } from './build-server.ts';
import { registerHealth, toReadiness } from './register-health.ts';

it('shows no metrics where an operator closed them, and health all the same', async () => {
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  const ready = async () => toReadiness({ kafka: true });
  registerHealth(server, { ready, metrics: undefined });
  const closed = await server.inject('/metrics');
  expect(closed.statusCode).toBe(404);
  expect(closed.body).not.toContain('annals_');
  for (const path of ['/livez', '/readyz']) {
    expect((await server.inject(path)).statusCode).toBe(200);
  }
});

it('shows metrics where it is given some', async () => {
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  const metrics = createMetrics('example');
  registerHealth(server, { ready: async () => toReadiness({ kafka: false }), metrics });
  expect((await server.inject('/metrics')).body).toContain('annals_build_info');
  expect((await server.inject('/readyz')).statusCode).toBe(503);
});
