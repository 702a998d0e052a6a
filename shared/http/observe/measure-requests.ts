import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../runtime/metrics.ts';

/** Measures requests by the pattern of their route: paths have ids, and their number has no limit. */
export function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  const observe = metrics.observe('annals_http_request_duration_seconds');
  server.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'unknown';
    // A stream lasts for as long as somebody watches.
    if (reply.getHeader('content-type') !== 'text/event-stream')
      observe(reply.elapsedTime / 1000, { method, route, status: String(reply.statusCode) });
    done();
  });
}
