import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topicNames } from '../../shared/kafka/topics.ts';
import { traceparentOf } from '../../shared/kafka/trace-header.ts';
import { metricDefinitions } from '../../shared/runtime/metric-definitions.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { createLogReader, type LogReader } from '../support/log/log-reader.ts';
import { documentedChecks, readAlertRules, readBoard } from '../support/observe-files.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';
import { type Scrape, scrape } from '../support/scrape.ts';

const topics = topicNames(`metrics-${process.pid}`);
const services = ['front', 'api', 'api2', 'projector', 'dispatcher'] as const;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const patience = { timeoutMs: 30_000 };

let product: StartedProduct;
let subscriber: Subscriber;
let api: ApiClient;
let log: LogReader;

beforeAll(async () => {
  subscriber = await startSubscriber();
  product = await startProduct({
    env: {
      ANNALS_TOPIC_PREFIX: `metrics-${process.pid}`,
      ANNALS_API_INSTANCES: '2',
      API_METRICS: 'true',
      LOG_LEVEL: 'debug',
      WEBHOOK_QUEUE_INTERVAL: '0',
      WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
      WEBHOOK_QUEUE_PORTION_SIZE: '0',
      WEBHOOK_MAX_ATTEMPT_NUMBER: '2',
      WEBHOOK_FAIL_ATTEMPT_PERIOD: '1s',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    },
  });
  const { apiKey, kafka } = product.access();
  api = createApiClient(product.url, withApiKey(apiKey));
  log = createLogReader(kafka);
  await registerWebhook(api, { event: 'Account.create', url: subscriber.url('/create') });
  await registerWebhook(api, { event: 'Account.create', url: subscriber.url('/broken') });
  subscriber.answer('/broken', 500);
});

afterAll(async () => {
  await log?.close();
  api?.close();
  await product?.remove();
  await subscriber?.close();
});

/** Sums the metrics of both apis, because either may have served the requests or own the partitions. */
async function scrapeApis(): Promise<Pick<Scrape, 'sum'>> {
  const both = await Promise.all(['api', 'api2'].map((name) => scrape(product.internalUrl(name))));
  return { sum: (name) => both.reduce((sum, one) => sum + one.sum(name), 0) };
}

describe('metrics', () => {
  /** Only query processes, and apis with a mail server or a file store, have these metrics. */
  const metricsElsewhere: ReadonlySet<string> = new Set([
    'annals_login_uses_dropped_total',
    'annals_mail_attempts_total',
    'annals_file_store_failures_total',
  ]);

  it('are served on internal listeners by every service under their documented names', async () => {
    const scraped = await Promise.all(services.map((name) => scrape(product.internalUrl(name))));
    const shown = new Map(scraped.flatMap(({ types }) => [...types]));
    for (const [name, { type }] of Object.entries(metricDefinitions)) {
      if (metricsElsewhere.has(name)) continue;
      expect([name, shown.get(name)]).toEqual([name, type]);
    }
    const beside = await scrape(product.url);
    expect(beside.samples('annals_ready').get('check="kafka"')).toBe(1);
    for (const { text } of scraped) expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('contain the documented readiness checks of each service', async () => {
    for (const name of services) {
      const { samples } = await scrape(product.internalUrl(name));
      const shown = [...samples('annals_ready').keys()].toSorted();
      const checks = documentedChecks().get(name.replace('2', '')) ?? [];
      expect({ name, shown }).toEqual({
        name,
        shown: checks.map((check) => `check="${check}"`).toSorted(),
      });
    }
  });

  it('include everything that alerts and dashboards query', async () => {
    const scraped = await Promise.all(services.map((name) => scrape(product.internalUrl(name))));
    const shown = new Set(scraped.flatMap(({ types }) => [...types.keys()]));
    const queried = [...readAlertRules(), ...readBoard()].flatMap(({ metrics }) => metrics);
    expect(queried.length).toBeGreaterThan(20);
    const base = (name: string) => name.replace(/_(?:bucket|count|sum)$/, '');
    const unknown = queried.filter((name) => !shown.has(name) && !shown.has(base(name)));
    expect(unknown.filter((name) => name !== 'up' && !name.startsWith('haproxy_'))).toEqual([]);
  });

  it('count a change at every step from its request to its receiver', async () => {
    const before = await scrapeApis();
    const [projectorBefore, dispatcherBefore] = await Promise.all([
      scrape(product.internalUrl('projector')),
      scrape(product.internalUrl('dispatcher')),
    ]);
    await Promise.all(Array.from({ length: 20 }, () => api.post('/Account', anAccount())));
    await eventually(() => expect(subscriber.events('/create')).toHaveLength(20), patience);

    const after = await scrapeApis();
    const grown = (name: string) => after.sum(name) - before.sum(name);
    expect(grown('annals_http_request_duration_seconds_count')).toBeGreaterThanOrEqual(20);
    expect(grown('annals_writer_append_events_sum')).toBeGreaterThanOrEqual(20);
    expect(grown('annals_writer_append_duration_seconds_count')).toBeGreaterThan(0);
    // A former owner without new writes has not detected the change yet.
    expect(after.sum('annals_writer_owned_partitions')).toBeGreaterThanOrEqual(5);
    expect(after.sum('annals_writer_fences_total')).toBeGreaterThanOrEqual(5);
    const projector = await scrape(product.internalUrl('projector'));
    const stored = 'annals_projector_events_total';
    expect(projector.sum(stored) - projectorBefore.sum(stored)).toBeGreaterThanOrEqual(20);
    await eventually(async () => {
      const dispatcher = await scrape(product.internalUrl('dispatcher'));
      const more = (name: string) => dispatcher.sum(name) - dispatcherBefore.sum(name);
      expect(more('annals_webhook_matched_events_total')).toBe(20);
      expect(more('annals_webhook_enqueued_events_total')).toBe(40);
      expect(more('annals_webhook_dead_letters_total')).toBeGreaterThan(0);
      const attempts = dispatcher.samples('annals_webhook_attempt_duration_seconds_count');
      expect([...attempts.keys()].toSorted()).toEqual(
        ['dead', 'delivered', 'retried'].map((outcome) => `outcome="${outcome}"`),
      );
    }, patience);
  });

  it('label routes with patterns instead of values that clients send', async () => {
    await api.get('/Account/an-id-that-is-nowhere');
    await api.get('/Nowhere/at/all/of/them');
    const texts = await Promise.all(
      ['api', 'api2'].map(async (name) => (await scrape(product.internalUrl(name))).text),
    );
    const text = texts.join('\n');
    expect(text).toContain('method="GET",route="/api/v1/:entity/:id",status="404"');
    expect(text).not.toMatch(/an-id-that-is-nowhere|Nowhere|at[/]all/);
  });

  it("report the projector's lag even while the projector is stopped", async () => {
    product.kill('projector', 'SIGSTOP');
    try {
      await api.post('/Account', anAccount(), { Prefer: 'respond-async' });
      const { sum } = await scrapeApis();
      expect(sum('annals_writer_unprojected_entries')).toBeGreaterThan(0);
      expect(sum('annals_writer_overlay_records')).toBeGreaterThan(0);
    } finally {
      product.kill('projector', 'SIGCONT');
    }
    await eventually(async () => {
      const projector = await scrape(product.internalUrl('projector'));
      expect(projector.samples('annals_projector_lag_entries').size).toBe(5);
      expect(projector.sum('annals_projector_lag_entries')).toBe(0);
      expect((await scrapeApis()).sum('annals_writer_unprojected_entries')).toBe(0);
    }, patience);
  });
});

describe('System/series', () => {
  interface Series {
    readonly stepSeconds: number;
    readonly series: Readonly<Record<string, readonly (number | null)[]>>;
    readonly failingWebhooks: readonly { readonly event: string; readonly url: string }[];
  }

  it('contains the changes, responses, deliveries and failing webhooks of all processes', async () => {
    const admin = api.as(withPassword(product.access().admin));
    await eventually(async () => {
      // Served by one of the apis, which adds up the requests of both.
      const { body } = await admin.get('/System/series?range=1h');
      const { stepSeconds, series, failingWebhooks } = body as unknown as Series;
      const most = (name: string) =>
        Math.max(0, ...(series[name] ?? []).map((value) => value ?? 0));
      expect(stepSeconds).toBe(60);
      for (const name of ['changes', 'answers2xx', 'latencyP50Ms', 'latencyP99Ms']) {
        expect([name, series[name]?.length, most(name) > 0]).toEqual([name, 60, true]);
      }
      expect(most('deliveriesOk')).toBeGreaterThan(0);
      expect(most('deliveriesFailed')).toBeGreaterThan(0);
      // Responses are counted from the start of the processes.
      expect(series['answers2xx']?.[0]).toBeNull();
      expect(failingWebhooks).toEqual([
        {
          webhookId: expect.any(String),
          event: 'Account.create',
          url: subscriber.url('/broken'),
          failed: expect.any(Number),
        },
      ]);
    }, patience);
  });
});

describe('a trace', () => {
  it('connects the request, logs, events and the webhook request', async () => {
    const seen = subscriber.requests('/create').length;
    const given = `00-${traceId}-00f067aa0ba902b7-01`;
    const { id } = recordIn(await api.post('/Account', anAccount(), { traceparent: given }));
    await eventually(() => expect(subscriber.requests('/create').length).toBe(seen + 1), patience);

    const messages = (await log.messages(topics.records)).flat();
    const carried = messages.find(({ key }) => key === id);
    const traceparent = carried && traceparentOf(carried);
    expect(traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(traceparent).not.toBe(given);
    expect(subscriber.requests('/create').at(-1)?.headers['traceparent']).toBe(traceparent);

    await eventually(() => {
      for (const [service, message] of [
        ['api', 'request'],
        ['projector', 'projected'],
        ['dispatcher', 'webhook request'],
      ] as const) {
        const lines = linesWith(traceId, service);
        expect(lines.map(({ msg }) => msg)).toContain(message);
      }
    }, patience);
  });

  it('starts at a request without trace headers and spans all attempts of a batch', async () => {
    const { id } = recordIn(await api.post('/Account', anAccount()));
    const attempts = () =>
      subscriber.requests('/broken').filter(({ body }) => body.toString().includes(id));
    await eventually(() => expect(attempts()).toHaveLength(2), patience);
    const traceparents = attempts().map(({ headers }) => headers['traceparent']);
    expect(traceparents[0]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(new Set(traceparents).size).toBe(1);
  });
});

/** Collects the metrics of all instances of a service. */
function linesWith(text: string, service: string): readonly { readonly msg: string }[] {
  const directory = join(product.dataDir, 'logs');
  return readdirSync(directory)
    .filter((file) => file.startsWith(service))
    .flatMap((file) => readFileSync(join(directory, file), 'utf8').split('\n'))
    .filter((line) => line.includes(text))
    .map((line): { readonly msg: string } => JSON.parse(line));
}
