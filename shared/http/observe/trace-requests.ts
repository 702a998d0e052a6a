import type { FastifyInstance } from 'fastify';
import { continueTrace, runInTrace, type Trace } from '../../runtime/trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** From the client's `traceparent`, or a new one; undefined if no route was matched. */
    trace: Trace | undefined;
  }
}

/** Gives each request a trace, which is the current one for everything that its handler calls. */
export function traceRequests(server: FastifyInstance): void {
  server.decorateRequest('trace', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    request.trace = continueTrace(typeof traceparent === 'string' ? traceparent : undefined);
    done();
  });
  // Not earlier: reading the body leaves the async context of the hooks before it.
  server.addHook('preHandler', ({ trace }, _reply, done) => {
    if (trace === undefined) done();
    else runInTrace(trace, done);
  });
}
