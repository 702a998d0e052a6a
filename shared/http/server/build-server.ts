import { parse as parseFlat } from 'node:querystring';
import { Readable } from 'node:stream';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { parse as parseNested } from 'qs';
import { Refusal } from '../../domain/errors.ts';
import { flatLines } from '../../runtime/logger.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import { traceFields } from '../../runtime/trace.ts';
import {
  type AnswerError,
  answerClientError,
  answerExpectation,
  createRequestErrors,
  pathOf,
  type RequestErrors,
} from '../errors/answer-error.ts';
import { traceRequests } from '../observe/trace-requests.ts';
import { addJsonBodyParser, dropTypeOfMissingBody } from './add-json-body-parser.ts';
import { FirstSegments } from './first-segments.ts';
import { RouteMethods } from './route-methods.ts';

interface ServerOptions {
  readonly log: Logger;
  readonly bodyLimitBytes: number;
  /** Records measurements of each request. */
  readonly metrics?: Metrics;
  /** Load balancers whose X-Forwarded-For is trusted; other senders' headers are ignored. */
  readonly trustedProxies?: readonly string[];
  /** Called with every unexpected request error; the response is a 500. */
  readonly onBug?: (error: unknown) => void;
}

const REQUEST_TIMEOUT_MS = 60_000;
/** No existing path has a longer segment. */
const MAX_PARAM_LENGTH = 2_000;
/** Prevents browsers from interpreting a response as another content type. */
const noSniffing = ['x-content-type-options', 'nosniff'] as const;
const jsonWithCharset = 'application/json; charset=utf-8';

/**
 * Returns a Fastify server with the request and response conventions that clients expect
 * (docs/reference/espocrm-compatibility.md#requests-and-responses). Register routes on it
 * afterwards.
 */
export function buildServer({
  log,
  bodyLimitBytes,
  metrics,
  onBug,
  trustedProxies = [],
}: ServerOptions): FastifyInstance {
  const errors = createRequestErrors(log, onBug);
  const firstSegments = new FirstSegments();
  // Declared with the wider type so that the server has the type that routes expect.
  const loggerInstance: FastifyBaseLogger = log;
  const server = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Fastify must not create a logger per request, which would only add the request's number.
    childLoggerFactory: (logger) => logger,
    bodyLimit: bodyLimitBytes,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, querystringParser: parseQuery },
    rewriteUrl: ({ url }) => firstSegments.spell(normalizeUrl(url ?? '/')),
    frameworkErrors: (error, request, reply) => {
      // Hooks do not run for these errors.
      void reply.header(...noSniffing);
      void errors.answer(error, request as FastifyRequest, reply);
    },
    clientErrorHandler: answerClientError,
    // Node would respond to a request that lacks Host with an empty body; the hook below sends an error body.
    http: { requireHostHeader: false },
    // Requests on open connections are still served while the server closes.
    return503OnClosing: false,
  });
  // Schemas are only descriptions (ADR 33): handlers validate requests, and responses are sent unchanged.
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => JSON.stringify);
  server.server.on('checkExpectation', answerExpectation);
  server.addHook('onRequest', ({ raw: { headers, httpVersion } }, _reply, done) => {
    if (headers.host === undefined && httpVersion === '1.1') {
      throw new Refusal('invalid', 'request.invalid', 'The Host header is missing.');
    }
    dropTypeOfMissingBody(headers);
    done();
  });
  traceRequests(server, errors.end);
  if (metrics !== undefined) measureRequests(server, metrics);
  addJsonBodyParser(server);
  answerWrongMethods(server, errors.answer);
  server.addHook('onRoute', ({ url }) => firstSegments.add(url));
  server.addHook('onSend', (request, reply, payload, done) => {
    if (payload instanceof Readable) watchStream(payload, { errors, request, reply });
    // Clients compare the type as text, and Fastify appends a charset.
    if (reply.getHeader('content-type') === jsonWithCharset) {
      void reply.header('content-type', 'application/json');
    }
    void reply.header(...noSniffing);
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', cachingOf(reply));
    done(null, payload);
  });
  logRequests(server, log);
  return server;
}

interface StreamResponse {
  readonly errors: RequestErrors;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Fastify handles stream errors that occur before the first byte. This function handles later errors, which would only
 * break the connection.
 */
function watchStream(stream: Readable, { errors, request, reply }: StreamResponse): void {
  stream.once('error', (error) => {
    if (reply.raw.headersSent && !isAborted(error)) errors.end(error, request, reply);
  });
}

/** Returns whether the client disconnected. */
function isAborted(error: Error & { readonly code?: string }): boolean {
  return error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ABORT_ERR';
}

/** Shared caches must not store responses. Clients may keep responses with an ETag, and revalidate them. */
function cachingOf(reply: FastifyReply): string {
  return reply.hasHeader('etag') ? 'private, no-cache' : 'no-store';
}

/**
 * Responds to OPTIONS with the methods of a path, to a wrong method on a known path with 405, and to everything else
 * with 404. A path that is known with another method may also match the route of a record or link: a 404 from that
 * route becomes a 405.
 */
function answerWrongMethods(server: FastifyInstance, answerError: AnswerError): void {
  const routeMethods = new RouteMethods();
  server.addHook('onRoute', ({ method, url }) => {
    // Catch-all routes (CORS, console) are excluded, because they do not indicate which paths exist.
    if (url !== '*' && url !== '/*') routeMethods.add(method, url);
  });
  server.setNotFoundHandler((request, reply) => {
    const { method } = request;
    const methods = routeMethods.at(pathIn(request));
    if (methods.length === 0 || methods.includes(method) !== (method === 'OPTIONS')) {
      throw new Refusal(
        'not_found',
        'route.not_found',
        `Path ${pathOf(request.originalUrl)} does not exist.`,
      );
    }
    if (method !== 'OPTIONS') throw wrongMethod(reply, method, methods);
    return reply.header('allow', methods.join(', ')).code(204).send();
  });
  server.setErrorHandler((error, request, reply) => {
    const missing = error instanceof Refusal && error.kind === 'not_found' ? error.code : undefined;
    const pattern = request.routeOptions.url ?? '';
    const methods =
      missing === undefined
        ? []
        : routeMethods.moreSpecific(pattern, pathIn(request), missing !== 'entity.unknown');
    const isWrongMethod = methods.length > 0 && !methods.includes(request.method);
    return answerError(
      isWrongMethod ? wrongMethod(reply, request.method, methods) : error,
      request,
      reply,
    );
  });
}

function wrongMethod(reply: FastifyReply, method: string, methods: readonly string[]): Refusal {
  void reply.header('allow', methods.join(', '));
  const message = `Method ${method} is not allowed here, only ${methods.join(', ')}.`;
  return new Refusal('method_not_allowed', 'route.method_not_allowed', message);
}

/** Returns the path by which a request is routed. */
export function pathIn({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

/** Node accepts over 30 methods; a method without a route is rejected. */
const knownMethods: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
]);

/** Measures requests by route pattern, because paths contain ids and their number is unbounded. */
function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  const observe = metrics.observe('annals_http_request_duration_seconds');
  server.addHook('onResponse', (request, reply, done) => {
    const { method: sent } = request;
    const method = knownMethods.has(sent) ? sent : 'other';
    const route = request.routeOptions.url ?? 'unknown';
    // Excluded, because a stream lasts as long as its client stays connected.
    if (reply.getHeader('content-type') !== 'text/event-stream')
      observe(reply.elapsedTime / 1000, { method, route, status: String(reply.statusCode) });
    done();
  });
}

function logRequests(server: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled('info')) return;
  const lines = flatLines(log);
  server.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const durationMs = Math.round(reply.elapsedTime * 10) / 10;
    const line = {
      method,
      path: pathOf(request.originalUrl),
      status: reply.statusCode,
      durationMs,
    };
    const { impersonation, trace } = request;
    lines.info({ ...line, ...impersonation, ...traceFields(trace) }, 'request');
    done();
  });
}

/** Deeper than any valid search, so that the search itself can reject excessive nesting with a specific error. */
const MAX_DEPTH = 64;
const MAX_PARAMETERS = 5_000;
const MAX_LISTED = 5_000;

/** Parses queries like PHP: `where[0][value][]=a`, with brackets encoded or not, becomes lists and objects. */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return {};
  // Almost all queries are flat, and the plain parser is several times faster.
  if (!/\[|%5b/i.test(text)) return { ...parseFlat(text) };
  return parseNested(text, {
    depth: MAX_DEPTH,
    parameterLimit: MAX_PARAMETERS,
    arrayLimit: MAX_LISTED,
    plainObjects: true,
    allowSparse: false,
  });
}

/**
 * Collapses repeated slashes in the path and removes a trailing slash, because clients concatenate base URLs and paths
 * carelessly. The query is not changed.
 */
export function normalizeUrl(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const endsWithSlash = path.length > 1 && path.endsWith('/');
  // The absolute form, which proxies use, keeps its two slashes.
  if ((!endsWithSlash && !path.includes('//')) || !path.startsWith('/')) return url;
  const normal = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return end === -1 ? normal : normal + url.slice(end);
}
