import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../runtime/metrics.ts';
import { createInternalServer, requireInternalToken } from './internal-server.ts';

const log = pino({ level: 'silent' });

function createExample(ready: boolean) {
  return createInternalServer({
    host: '127.0.0.1',
    port: 0,
    log,
    metrics: createMetrics('example'),
    ready: async () => ({ ready, checks: { kafka: ready, postgres: true } }),
  });
}

describe('an internal server', () => {
  it('reports whether it is alive and whether it is ready', async () => {
    const { server } = createExample(true);
    expect((await server.inject('/livez')).statusCode).toBe(200);
    const response = await server.inject('/readyz');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ ready: true, checks: { kafka: true, postgres: true } });
  });

  it('responds with 503 and the failing checks while it is not ready', async () => {
    const response = await createExample(false).server.inject('/readyz');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({ ready: false, checks: { kafka: false, postgres: true } });
  });

  it('returns the address that it listens on', async () => {
    const internal = createExample(true);
    const address = await internal.listen();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${address}/livez`)).status).toBe(200);
    await internal.close();
  });

  it('returns the advertised host', async () => {
    const deps = {
      host: '127.0.0.1',
      port: 0,
      log,
      advertisedHost: 'api-1',
      metrics: createMetrics('example'),
    };
    const internal = createInternalServer({
      ...deps,
      ready: async () => ({ ready: true, checks: {} }),
    });
    expect(await internal.listen()).toMatch(/^http:\/\/api-1:\d+$/);
    await internal.close();
  });

  it('serves its metrics, including the checks', async () => {
    const response = await createExample(false).server.inject('/metrics');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('text/plain; version=0.0.4');
    expect(response.body).toContain('annals_ready{check="kafka"} 0\n');
    expect(response.body).toContain('annals_ready{check="postgres"} 1\n');
    expect(response.body).toMatch(/annals_build_info[{]service="example",version="[0-9.]+"[}] 1/);
    expect(response.body).toContain('nodejs_eventloop_lag_p99_seconds ');
  });

  it('protects other routes with the internal token', async () => {
    const { server } = createExample(true);
    const requireToken = requireInternalToken('abc');
    server.post('/internal/commands', (request) => {
      requireToken(request);
      return { done: true };
    });
    const post = async (authorization?: string) =>
      server.inject({
        method: 'POST',
        url: '/internal/commands',
        headers: authorization === undefined ? {} : { authorization },
      });
    expect((await post('Bearer abc')).statusCode).toBe(200);
    for (const wrong of [undefined, 'Bearer abd', 'Bearer abcd', 'abc', 'Bearer ']) {
      expect((await post(wrong)).statusCode).toBe(401);
    }
  });
});
