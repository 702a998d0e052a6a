import { describe, expect, it } from 'vitest';
import { Unavailable } from '../domain/errors.ts';
import { createMetrics } from './metrics.ts';

describe('metrics', () => {
  it('are read only at each scrape', async () => {
    const metrics = createMetrics('example');
    let fences = 0;
    metrics.read('annals_projector_events_total', () => fences);
    fences = 7;
    expect(await metrics.text()).toContain('\nannals_projector_events_total 7\n');
    fences = 9;
    expect(await metrics.text()).toContain('\nannals_projector_events_total 9\n');
  });

  it('are summed per label set if several readers have the same name', async () => {
    const metrics = createMetrics('example');
    metrics.read('annals_database_waiting_queries', () => 1);
    metrics.read('annals_database_waiting_queries', () => 2);
    for (const state of ['busy', 'idle', 'idle']) {
      metrics.read('annals_database_connections', () => [{ labels: { state }, value: 4 }]);
    }
    const text = await metrics.text();
    expect(text).toContain('\nannals_database_waiting_queries 3\n');
    expect(text).toContain('\nannals_database_connections{state="busy"} 4\n');
    expect(text).toContain('\nannals_database_connections{state="idle"} 8\n');
  });

  it.each(['annals_webhook_open_lanes', 'annals_projector_lag_seconds'] as const)(
    'have no sample of %s while its value is unknown',
    async (name) => {
      const metrics = createMetrics('example');
      metrics.read(name, async () => {
        throw new Unavailable('Kafka is away');
      });
      const text = await metrics.text();
      expect(text).toContain(`# TYPE ${name} gauge`);
      expect(text).not.toMatch(new RegExp(`^${name}[{ ]`, 'm'));
    },
  );

  it('do not wait for a reader that does not respond', async () => {
    const metrics = createMetrics('example');
    metrics.read('annals_projector_lag_seconds', () => new Promise(() => {}));
    metrics.read('annals_projector_events_total', () => 3);
    const begin = performance.now();
    expect(await metrics.text()).toContain('\nannals_projector_events_total 3\n');
    expect(performance.now() - begin).toBeLessThan(4_000);
  });

  it('count durations into buckets in seconds', async () => {
    const metrics = createMetrics('example');
    const observe = metrics.observe('annals_http_request_duration_seconds');
    const labels = { method: 'GET', route: '/api/v1/:entity', status: '200' };
    observe(0.003, labels);
    observe(0.2, labels);
    const text = await metrics.text();
    const series = 'annals_http_request_duration_seconds';
    expect(text).toContain(`${series}_count{method="GET",route="/api/v1/:entity",status="200"} 2`);
    expect(text).toMatch(new RegExp(`${series}_bucket[{]le="0.005",.*[}] 1\n`));
    expect(text).toMatch(new RegExp(`${series}_bucket[{]le="0.25",.*[}] 2\n`));
  });

  it('throw an unexpected error from a reader', async () => {
    const metrics = createMetrics('example');
    metrics.read('annals_webhook_open_lanes', () => {
      throw new Error('a bug');
    });
    await expect(metrics.text()).rejects.toThrow('a bug');
  });
});
