import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../runtime/metrics.ts';

/** Times each request under the pattern of its route: paths hold ids, and there is no end of them. */
export function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  const observe = metrics.observe('annals_http_request_duration_seconds');
  server.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'unknown';
    observe(reply.elapsedTime / 1000, { method, route, status: String(reply.statusCode) });
    done();
  });
}
