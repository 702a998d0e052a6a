import type { FastifyInstance } from 'fastify';
import { continueTrace, runInTrace, type Trace } from '../runtime/trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The one that the client's `traceparent` names, or a new one; none for what was no request to any route. */
    trace: Trace | undefined;
  }
}

/** Gives each request its trace, and makes it the current one of whatever its handler calls. */
export function traceRequests(server: FastifyInstance): void {
  server.decorateRequest('trace', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    request.trace = continueTrace(typeof traceparent === 'string' ? traceparent : undefined);
    done();
  });
  // Not earlier: reading the body leaves the context of the hooks before it.
  server.addHook('preHandler', ({ trace }, _reply, done) => {
    if (trace === undefined) done();
    else runInTrace(trace, done);
  });
}

/** What a line of the log says about a request's trace. */
export function traceFieldsOf({ trace }: { readonly trace: Trace | undefined }): object {
  return trace === undefined ? {} : { traceId: trace.traceId, spanId: trace.spanId };
}
