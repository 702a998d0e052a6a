import type { FastifyInstance } from 'fastify';
import { withConnection } from '../../../shared/db/pool.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { count, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import {
  describeSystemRoute,
  readOperator,
  type SystemRouteDeps,
} from '../../../shared/http/system-route.ts';
import { createShared } from '../../../shared/runtime/share-answers.ts';
import { countNames, gaugeNames } from '../../../shared/series/sample.ts';
import {
  type ReadSeries,
  readSeries,
  type SeriesRange,
  seriesRanges,
} from '../series/read-series.ts';

const KEPT_MS = 1_000;
const ranges = Object.keys(seriesRanges) as SeriesRange[];

/** `GET System/series`: the time series of an installation, for administrators (docs/reference/system.md). */
export function registerSeriesRoutes(server: FastifyInstance, deps: SystemRouteDeps): void {
  const { observed, directory } = deps;
  const answers = new Map(
    ranges.map((range) => {
      const find = () =>
        withConnection(observed.connect, (client) => readSeries(client, range, Date.now()));
      return [range, createShared<ReadSeries>(KEPT_MS, find)];
    }),
  );

  server.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/api/v1/System/series',
    readingSeries,
    async (request) => {
      await readOperator(deps, request);
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

  /** The event and url are null for a webhook that is no longer in the directory. */
  function withNames({ webhookId, failed }: ReadSeries['failing'][number]) {
    const { event = null, url = null } = directory.record('Webhook', webhookId)?.values ?? {};
    return { webhookId, event, url, failed };
  }
}

const line = {
  type: 'array',
  items: { type: ['number', 'null'] },
  description: 'One number for each step; null for a step without samples.',
};
const names = [...countNames, 'latencyP50Ms', 'latencyP99Ms', ...gaugeNames];

const readingSeries = describeSystemRoute({
  id: 'System_series',
  summary: 'Read time series of changes, responses, deliveries, queues and lags',
  description:
    'For administrators; the response may be a second old. Changes, responses and deliveries are rates per second. Queues and lags are the highest value of each step.',
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
