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
    /** From the client's `traceparent`, or a new one; undefined if no route was matched. */
    trace: Trace | undefined;
    impersonation: Impersonation | undefined;
  }
}

type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Gives each request a trace and a scope, which is current for everything that its hooks and its handler call. `fail`
 * responds to a request after an error that none of them caught.
 */
export function traceRequests(server: FastifyInstance, fail: Fail): void {
  const scopes = new WeakMap<FastifyRequest, RequestScope>();
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
    scopes.set(request, scope);
    runInRequest(scope, done);
  });
  // Set again, because reading the body leaves the async context of the earlier hooks.
  server.addHook('preHandler', (request, _reply, done) => {
    const scope = scopes.get(request);
    if (scope === undefined) done();
    else runInRequest(scope, done);
  });
}
