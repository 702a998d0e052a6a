import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  continueTrace,
  type Impersonation,
  type RequestScope,
  runInRequest,
  type Trace,
} from '../../runtime/trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace from the client's `traceparent`, or a new trace; undefined if no route matched. */
    trace: Trace | undefined;
    impersonation: Impersonation | undefined;
  }
}

type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Assigns each request a trace and a scope. The scope is current in all code that the request's hooks and handler call:
 * Fastify restores it after reading the body. `fail` responds to a request after an uncaught error.
 */
export function traceRequests(server: FastifyInstance, fail: Fail): void {
  server.decorateRequest('trace', undefined);
  server.decorateRequest('impersonation', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    const { traceparent } = request.headers;
    const trace = continueTrace(typeof traceparent === 'string' ? traceparent : undefined);
    request.trace = trace;
    const scope: RequestScope = {
      trace,
      fail: (error) => fail(error, request, reply),
      isGone: () => reply.raw.destroyed,
      impersonation: () => request.impersonation,
    };
    runInRequest(scope, done);
  });
}
