import type { FastifyInstance } from 'fastify';
import { signInMethods } from '../../../shared/audit/access-tables.ts';
import { attemptOutcomes } from '../../../shared/events/webhook-attempt-codec.ts';
import { searched } from '../../../shared/http/describe/error-lists.ts';
import type { Part } from '../../../shared/http/describe/part.ts';
import {
  administrator,
  count,
  flag,
  nullableText,
  objectOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { pathOf } from '../../../shared/http/errors/answer-error.ts';
import { requireInternalToken } from '../../../shared/http/server/internal-server.ts';
import { describeSystemRoute, readOperator } from '../../../shared/http/system-route.ts';
import type { SystemContext } from '../context.ts';
import { eventTypes } from '../tail/event-filter.ts';
import { type FailedRequests, failedPath } from './failed-requests.ts';
import { MAX_ATTEMPTS, MAX_BATCHES } from './read-deliveries.ts';
import { MAX_EVENTS, readTrace, traceKinds } from './read-trace.ts';

const MAX_PATH_LENGTH = 300;

/** `GET System/traces/{id}`: what happened around a request, record, batch or webhook. */
export function registerTraceRoutes(server: FastifyInstance, context: SystemContext): void {
  server.get<{ Params: { readonly id: string } }>(
    '/api/v1/System/traces/:id',
    readingTrace,
    async (request) => {
      const actor = await readOperator(context, request);
      return readTrace(context, context.searchPool.of(actor), request.params.id);
    },
  );
}

/** Records the failed requests of a server. */
export function recordFailedRequests(
  server: FastifyInstance,
  { failed, now }: { readonly failed: FailedRequests; readonly now: () => number },
): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply;
    if (status >= 400 && request.trace !== undefined) {
      failed.add({
        requestId: request.trace.traceId,
        atMs: now(),
        method: request.method,
        path: pathOf(request.originalUrl).slice(0, MAX_PATH_LENGTH),
        status,
        reason: String(reply.raw.getHeader('X-Status-Reason') ?? ''),
      });
    }
    done();
  });
}

/** Serves the failed requests of this process to the other apis of the installation. */
export function serveFailedRequests(
  server: FastifyInstance,
  { internalToken, failed }: { readonly internalToken: string; readonly failed: FailedRequests },
): void {
  const requireToken = requireInternalToken(internalToken);
  server.get<{ Params: { readonly id: string } }>(`${failedPath}/:id`, async (request) => {
    requireToken(request);
    return failed.find(request.params.id);
  });
}

const at = { ...text, format: 'date-time' };
const webhook = { webhookId: text, url: nullableText };

const eventStep = stepOf(
  'event',
  {
    entityType: text,
    id: text,
    name: nullableText,
    version: count,
    type: { enum: eventTypes },
    byId: text,
    byName: nullableText,
    ...administrator,
    changed: {
      type: 'array',
      items: text,
      description: 'The first changed attributes; `changedCount` is the number of all.',
    },
    changedCount: count,
    requestId: {
      ...nullableText,
      description:
        'Null for a change without a request, and for one that an earlier version stored.',
    },
  },
  Object.keys(administrator),
);

const steps = [
  stepOf('signIn', {
    userName: nullableText,
    byId: nullableText,
    method: { enum: signInMethods },
    address: text,
    reason: nullableText,
  }),
  eventStep,
  stepOf('failure', { method: text, path: text, status: count, reason: text }),
  stepOf('batch', {
    batchId: text,
    ...webhook,
    event: text,
    events: count,
    replayId: nullableText,
  }),
  stepOf('attempt', {
    batchId: text,
    ...webhook,
    number: count,
    outcome: { enum: attemptOutcomes },
    status: { type: ['integer', 'null'] },
    reason: nullableText,
    durationMs: count,
  }),
];

function stepOf(
  kind: string,
  parts: Readonly<Record<string, Part>>,
  optional: readonly string[] = [],
): Part {
  const properties = { kind: { const: kind }, at, ...parts };
  return objectOf(
    properties,
    Object.keys(properties).filter((name) => !optional.includes(name)),
  );
}

const readingTrace = describeSystemRoute({
  id: 'System_trace',
  summary: 'Read what happened around a request, record, batch or webhook',
  description:
    'Sign-ins, failed requests, events, batches of webhooks and their attempts, oldest first, without values. For administrators. A request id (32 hexadecimal digits) is never unknown, because requests that change nothing are not stored. The apis keep the newest 1,000 failed requests in memory.',
  parameters: ['id'],
  answer: objectOf({
    id: text,
    kind: { enum: traceKinds },
    steps: {
      type: 'array',
      items: { anyOf: steps },
      maxItems: MAX_EVENTS + MAX_BATCHES + MAX_ATTEMPTS + 10,
    },
    isComplete: { ...flag, description: 'False if there are more steps.' },
  }),
  errors: ['trace.not_found', ...searched],
});
