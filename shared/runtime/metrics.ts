import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Unavailable } from '../domain/errors.ts';
import { Histogram } from './histogram.ts';
import { heapLimitBytes, memoryLimitBytes } from './memory-limits.ts';
import { type MetricDefinition, type MetricName, metricDefinitions } from './metric-definitions.ts';
import { version } from './version.ts';

export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads a value at each scrape. A value that is currently unknown has no sample. */
type ReadMetric = () =>
  | number
  | readonly MetricSample[]
  | Promise<number | readonly MetricSample[]>;

type ObserveMetric = (value: number, labels?: Readonly<Record<string, string>>) => void;

/** The metrics of one process. */
export interface Metrics {
  /**
   * Registers a counter or gauge that is read at each scrape, so that hot paths only count. If a name has several
   * readers, all of their samples are exported; samples without labels are added up.
   */
  read(name: MetricName, read: ReadMetric): void;
  /** Returns a histogram that records every value. */
  observe(name: MetricName): ObserveMetric;
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** A scrape must not wait for a dependency that does not respond. */
const READ_TIMEOUT_MS = 2_000;
/**
 * Resolution of the timer that measures the delay of the event loop: a finer resolution would wake an idle process more
 * often.
 */
const EVENT_LOOP_PRECISION_MS = 100;

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS,
  });
  const histograms: Histogram[] = [];
  const readers = new Map<MetricName, ReadMetric[]>();
  const metrics: Metrics = {
    read(name, read) {
      const known = readers.get(name);
      if (known !== undefined) {
        known.push(read);
        return;
      }
      const all = [read];
      readers.set(name, all);
      register(registry, name, async () => collect(all));
    },
    observe(name) {
      const { help, labels: labelNames, buckets = [] }: MetricDefinition = metricDefinitions[name];
      const histogram = new Histogram({ name, help, labelNames, buckets });
      histograms.push(histogram);
      return (value, labels) => histogram.observe(value, labels);
    },
    async text() {
      const parts = [await registry.metrics()];
      for (const histogram of histograms) parts.push(await histogram.text());
      return parts.join('\n');
    },
    contentType: registry.contentType,
  };
  metrics.read('annals_build_info', () => [{ labels: { service, version }, value: 1 }]);
  metrics.read('annals_memory_limit_bytes', memoryLimitBytes);
  metrics.read('annals_heap_limit_bytes', heapLimitBytes);
  return metrics;
}

function toOptions(registry: Registry, name: MetricName) {
  const { help, labels }: MetricDefinition = metricDefinitions[name];
  return { name, help, labelNames: [...labels], registers: [registry] };
}

function register(
  registry: Registry,
  name: MetricName,
  read: () => Promise<readonly MetricSample[]>,
): void {
  const options = { ...toOptions(registry, name), collect: update };
  const isGauge = metricDefinitions[name].type !== 'counter';
  const metric = isGauge ? new Gauge(options) : new Counter(options);
  async function update(): Promise<void> {
    const samples = await read();
    metric.reset();
    // Unknown values are omitted. Resetting a gauge without labels would leave a zero, which would be wrong.
    if (isGauge && samples.length === 0 && options.labelNames.length === 0) metric.remove();
    for (const { labels, value } of samples) metric.inc(labels, value);
  }
}

async function collect(readers: readonly ReadMetric[]): Promise<readonly MetricSample[]> {
  const answers = await Promise.all(readers.map(orNothing));
  return answers.flatMap((answer) =>
    typeof answer === 'number' ? [{ labels: {}, value: answer }] : answer,
  );
}

async function orNothing(read: ReadMetric): Promise<number | readonly MetricSample[]> {
  const answer = (async () => read())();
  const late = sleep(READ_TIMEOUT_MS, undefined, { ref: false });
  try {
    return (await Promise.race([answer, late])) ?? [];
  } catch (error) {
    if (error instanceof Unavailable) return [];
    throw error;
  } finally {
    // The read may still fail after the timeout.
    answer.catch(() => undefined);
  }
}
