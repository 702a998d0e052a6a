import { mapValues } from '../../../shared/domain/value/map-values.ts';
import type { CountName, Numbers } from '../../../shared/series/sample.ts';
import { labelOf, type MetricLine, readMetrics } from './read-metrics.ts';

/** Numbers from the metrics of a process. Numbers that it does not measure, or that are unknown now, are missing. */
export interface ProcessNumbers {
  /** In seconds since 1970. */
  readonly startedAt: number;
  /** Since the start of the process. */
  readonly counts: Numbers<CountName>;
  /** Requests since the start, by the upper bound of their latency in seconds. Cumulative: includes faster requests. */
  readonly latency: Numbers;
  readonly sums: Numbers<keyof typeof summed>;
  readonly worst: Numbers<keyof typeof worstOfAll>;
}

const REQUESTS = 'annals_http_request_duration_seconds_count';
const BUCKETS = 'annals_http_request_duration_seconds_bucket';
const ATTEMPTS = 'annals_webhook_attempt_duration_seconds_count';
const CHANGES = 'annals_writer_append_events_sum';
const STARTED = 'process_start_time_seconds';

const summed = {
  unmatched: 'annals_webhook_queue_lag_entries',
  batches: 'annals_webhook_waiting_batches',
  lagEntries: 'annals_projector_lag_entries',
};
const worstOfAll = {
  unmatchedSeconds: 'annals_webhook_queue_lag_seconds',
  batchSeconds: 'annals_webhook_oldest_waiting_seconds',
  lagSeconds: 'annals_projector_lag_seconds',
};
const names = new Set([
  ...[REQUESTS, BUCKETS, ATTEMPTS, CHANGES, STARTED],
  ...Object.values(summed),
  ...Object.values(worstOfAll),
]);

/** Parses the text format of Prometheus. */
export function readProcess(text: string): ProcessNumbers {
  const found = readMetrics(text, names);
  const count = (name: string, isMeant: (line: MetricLine) => boolean = () => true) => {
    const lines = found.get(name);
    return lines && sum(lines.filter(isMeant));
  };
  const answers = (first: string) =>
    count(REQUESTS, (line) => labelOf(line, 'status').startsWith(first));
  const isDelivered = (line: MetricLine) => labelOf(line, 'outcome') === 'delivered';
  const gauge = (name: string, of: (lines: readonly MetricLine[]) => number) => {
    const lines = found.get(name) ?? [];
    return lines.length === 0 ? undefined : of(lines);
  };
  return {
    startedAt: count(STARTED) ?? 0,
    counts: known({
      changes: count(CHANGES),
      answers2xx: answers('2'),
      answers4xx: answers('4'),
      answers5xx: answers('5'),
      deliveriesOk: count(ATTEMPTS, isDelivered),
      deliveriesFailed: count(ATTEMPTS, (line) => !isDelivered(line)),
    }),
    latency: byBound(found.get(BUCKETS) ?? []),
    sums: known(mapValues(summed, (name) => gauge(name, sum))),
    worst: known(mapValues(worstOfAll, (name) => gauge(name, largest))),
  };
}

function sum(lines: readonly MetricLine[]): number {
  return lines.reduce((total, { value }) => total + value, 0);
}

function largest(lines: readonly MetricLine[]): number {
  return Math.max(...lines.map(({ value }) => value));
}

function byBound(lines: readonly MetricLine[]): Numbers {
  const byBounds = Map.groupBy(lines, (line) => labelOf(line, 'le'));
  return Object.fromEntries([...byBounds].map(([bound, ofBound]) => [bound, sum(ofBound)]));
}

/** Drops undefined numbers. */
export function known<Name extends string>(
  numbers: Readonly<Record<Name, number | undefined>>,
): Numbers<Name> {
  const entries = Object.entries<number | undefined>(numbers);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Numbers<Name>;
}
