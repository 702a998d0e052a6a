import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import { count, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { requireInternalToken } from '../../../shared/http/server/internal-server.ts';
import { describeSystemRoute, readOperator } from '../../../shared/http/system-route.ts';
import { createShared } from '../../../shared/runtime/share-answers.ts';
import type { SystemContext } from '../context.ts';
import { requestSeries } from './draw-requests.ts';
import { type ReadSeries, readSeries } from './read-series.ts';
import { type RequestCounter, requestCountsPath } from './request-counts.ts';
import { type SeriesRange, seriesRanges } from './series-frame.ts';

/** A response may be as old as a step divided by this number: 1 s for a minute, 4 min for 4 h. */
const KEPT_PART = 60;
const MS = 1_000;
const ranges = Object.keys(seriesRanges) as SeriesRange[];

/** `GET System/series`: the time series of an installation, for administrators (docs/reference/system.md). */
export function registerSeriesRoutes(server: FastifyInstance, context: SystemContext): void {
  const { directory, series } = context;
  const answers = new Map(
    ranges.map((range) => {
      const keptMs = (seriesRanges[range].stepSeconds * MS) / KEPT_PART;
      return [range, createShared<ReadSeries>(keptMs, () => readSeries(series, range))];
    }),
  );

  server.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/api/v1/System/series',
    readingSeries,
    async (request) => {
      await readOperator(context, request);
      const { range = '24h' } = request.query;
      const find = answers.get(range as SeriesRange);
      if (find === undefined) {
        const message = `range must be one of ${ranges.join(', ')}.`;
        throw new Refusal('invalid', 'parameter.invalid', message);
      }
      const { failing, ...drawn } = await find();
      return { ...drawn, failingWebhooks: failing.map(withNames) };
    },
  );

  /** Adds each webhook's event and url, which are null for a webhook that is no longer in the directory. */
  function withNames({ webhookId, failed }: ReadSeries['failing'][number]) {
    const { event = null, url = null } = directory.record('Webhook', webhookId)?.values ?? {};
    return { webhookId, event, url, failed };
  }
}

/** Counts the requests of a server, except streams, which last as long as their client stays connected. */
export function countRequests(server: FastifyInstance, counter: RequestCounter): void {
  server.addHook('onResponse', (_request, reply, done) => {
    if (reply.getHeader('content-type') !== 'text/event-stream')
      counter.add(reply.statusCode, reply.elapsedTime / MS);
    done();
  });
}

/** Serves the counts to the other apis of the installation. */
export function serveRequestCounts(
  server: FastifyInstance,
  { internalToken, counter }: { readonly internalToken: string; readonly counter: RequestCounter },
): void {
  const requireToken = requireInternalToken(internalToken);
  server.get(requestCountsPath, async (incoming) => {
    requireToken(incoming);
    return counter.read();
  });
}

const line = {
  type: 'array',
  items: { type: ['number', 'null'] },
  description: 'One number for each step; null for a step without a measurement.',
};
const names = ['changes', 'deliveriesOk', 'deliveriesFailed', ...requestSeries];

const readingSeries = describeSystemRoute({
  id: 'System_series',
  summary: 'Read time series of changes, responses, latency and deliveries',
  description:
    'For administrators; the response may be a sixtieth of a step old. Changes, responses and deliveries are rates per second. Changes and deliveries are counted in Postgres. Responses and latency are those of all running api processes in the last day, or from Prometheus.',
  parameters: [{ name: 'range', in: 'query', schema: { enum: ranges, default: '24h' } }],
  answer: objectOf({
    from: text,
    to: text,
    stepSeconds: count,
    series: objectOf(Object.fromEntries(names.map((name) => [name, line]))),
    failingWebhooks: {
      type: 'array',
      maxItems: 10,
      description: 'The webhooks with the most failed attempts in this range, in descending order.',
      items: objectOf({ webhookId: text, event: nullableText, url: nullableText, failed: count }),
    },
  }),
  errors: ['parameter.invalid'],
});
