import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import packageJson from '../../package.json' with { type: 'json' };
import { Unavailable } from '../domain/errors.ts';
import { heapLimitBytes, memoryLimitBytes } from './memory-limits.ts';
import { type MetricDefinition, type MetricName, metricDefinitions } from './metric-definitions.ts';

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads a number when it is asked for. A number that cannot be known now has no sample. */
type ReadMetric = () => number | readonly Sample[] | Promise<number | readonly Sample[]>;

type ObserveMetric = (value: number, labels?: Readonly<Record<string, string>>) => void;

/** The metrics of one process. */
export interface Metrics {
  /**
   * A counter or gauge that is read at each scrape, so that hot paths only count. Several readers of one name add their
   * samples; those without labels are summed up.
   */
  read(name: MetricName, read: ReadMetric): void;
  /** A histogram that records every value. */
  observe(name: MetricName): ObserveMetric;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** A scrape must not wait for a dependency that does not answer. */
const READ_TIMEOUT_MS = 2_000;
/** Resolution of the timer that measures the event loop's delay: a finer one would wake an idle process more often. */
const EVENT_LOOP_PRECISION_MS = 100;

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS,
  });
  const readers = new Map<MetricName, ReadMetric[]>();
  const { version } = packageJson;
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
      const { buckets = [], ...common } = toOptions(name);
      const histogram = new Histogram({ ...common, buckets, registers: [registry] });
      return (value, labels) => {
        if (labels === undefined) histogram.observe(value);
        else histogram.observe(labels, value);
      };
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
  metrics.read('annals_build_info', () => [{ labels: { service, version }, value: 1 }]);
  metrics.read('annals_memory_limit_bytes', memoryLimitBytes);
  metrics.read('annals_heap_limit_bytes', heapLimitBytes);
  return metrics;
}

function toOptions(name: MetricName) {
  const { help, labels, buckets = [] }: MetricDefinition = metricDefinitions[name];
  return { name, help, labelNames: [...labels], buckets: [...buckets] };
}

function register(
  registry: Registry,
  name: MetricName,
  read: () => Promise<readonly Sample[]>,
): void {
  const { help, labelNames } = toOptions(name);
  const options = { name, help, labelNames, registers: [registry] };
  if (metricDefinitions[name].type === 'counter') {
    const counter = new Counter({
      ...options,
      async collect() {
        const samples = await read();
        counter.reset();
        for (const { labels, value } of samples) counter.inc(labels, value);
      },
    });
    return;
  }
  const gauge = new Gauge({
    ...options,
    async collect() {
      const samples = await read();
      gauge.reset();
      // Unknown numbers are left out. Without labels, a reset would leave a zero, which would be wrong.
      if (samples.length === 0 && labelNames.length === 0) gauge.remove();
      for (const { labels, value } of samples) gauge.inc(labels, value);
    },
  });
}

async function collect(readers: readonly ReadMetric[]): Promise<readonly Sample[]> {
  const answers = await Promise.all(readers.map(orNothing));
  return answers.flatMap((answer) =>
    typeof answer === 'number' ? [{ labels: {}, value: answer }] : answer,
  );
}

async function orNothing(read: ReadMetric): Promise<number | readonly Sample[]> {
  const answer = (async () => read())();
  const late = sleep(READ_TIMEOUT_MS, undefined, { ref: false });
  try {
    return (await Promise.race([answer, late])) ?? [];
  } catch (error) {
    if (error instanceof Unavailable) return [];
    throw error;
  } finally {
    // It may still fail after the timeout.
    answer.catch(() => undefined);
  }
}
