import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { createMetrics } from '../../runtime/metrics.ts';
import { buildServer } from '../server/build-server.ts';
import { registerHealth, toReadiness } from './register-health.ts';

it('serves health but no metrics if the operator disabled them', async () => {
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

it('serves the given metrics', async () => {
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  const metrics = createMetrics('example');
  registerHealth(server, { ready: async () => toReadiness({ kafka: false }), metrics });
  expect((await server.inject('/metrics')).body).toContain('annals_build_info');
  expect((await server.inject('/readyz')).statusCode).toBe(503);
});

it('renders metrics once per second for all readers', async () => {
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  const texts: PromiseWithResolvers<string>[] = [];
  const metrics = {
    ...createMetrics('example'),
    async text() {
      const next = Promise.withResolvers<string>();
      texts.push(next);
      return next.promise;
    },
  };
  registerHealth(server, { ready: async () => toReadiness({ kafka: true }), metrics });
  const read = async () => (await server.inject('/metrics')).body;
  const readers = [read(), read()];
  await vi.waitFor(() => expect(texts).toHaveLength(1));
  readers.push(read());
  texts[0]?.resolve('first');
  expect(await Promise.all(readers)).toEqual(['first', 'first', 'first']);
  const endedAt = performance.now();
  const later = [read(), read()];
  await vi.waitFor(() => expect(texts).toHaveLength(2), { timeout: 5_000 });
  expect(performance.now() - endedAt).toBeGreaterThan(900);
  texts[1]?.reject(new Error('gone'));
  expect((await Promise.all(later)).join()).not.toContain('first');
  const last = read();
  await vi.waitFor(() => expect(texts).toHaveLength(3), { timeout: 5_000 });
  texts[2]?.resolve('second');
  expect(await last).toBe('second');
});
