import { percentileOf } from '../../../shared/series/percentile.ts';
import {
  type CountName,
  countNames,
  type GaugeName,
  gaugeNames,
  mergeSamples,
  type SeriesSample,
} from '../../../shared/series/sample.ts';

type SeriesName = CountName | GaugeName | 'latencyP50Ms' | 'latencyP99Ms';
type Series = readonly (number | null)[];

export interface DrawnSeries {
  readonly from: string;
  readonly to: string;
  readonly stepSeconds: number;
  /** One number for each step; null for a step without samples. */
  readonly series: Readonly<Record<SeriesName, Series>>;
}

interface Frame {
  readonly seconds: number;
  readonly stepSeconds: number;
}

const MS = 1_000;
const HALF = 0.5;
const NEARLY_ALL = 0.99;

/** Returns the time range whose samples a chart needs. The last step may be unfinished. */
export function sampleRange({ seconds, stepSeconds }: Frame, now: number) {
  const until = Math.ceil(now / (stepSeconds * MS)) * stepSeconds * MS;
  // Includes one more step, because the last one is shown only once it has a sample.
  return { after: until - (seconds + stepSeconds) * MS, until };
}

/** Divides the range into steps of equal length, and assigns each sample to the step in which it ended. */
export function drawSeries(
  samples: readonly SeriesSample[],
  { seconds, stepSeconds }: Frame,
  now: number,
): DrawnSeries {
  const stepMs = stepSeconds * MS;
  const { until } = sampleRange({ seconds, stepSeconds }, now);
  const bySteps = Map.groupBy(samples, ({ at }) => Math.ceil(at / stepMs) * stepMs);
  const to = bySteps.has(until) ? until : until - stepMs;
  const from = to - seconds * MS;
  const steps = Array.from({ length: seconds / stepSeconds }, (_, index) => {
    const end = from + (index + 1) * stepMs;
    const found = bySteps.get(end);
    return found && mergeSamples(found, end);
  });
  const line = (read: (step: SeriesSample) => number | undefined): Series =>
    steps.map((step) => (step && read(step)) ?? null);
  const perSecond = (name: CountName) =>
    line(({ counts, seconds: measured }) => {
      const count = counts[name];
      return count === undefined || measured <= 0 ? undefined : count / measured;
    });
  const latency = (share: number) =>
    line((step) => {
      const found = percentileOf(step.latency, share);
      return found === undefined ? undefined : found * MS;
    });
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    stepSeconds,
    series: {
      ...mapNames(countNames, perSecond),
      ...mapNames(gaugeNames, (name) => line(({ gauges }) => gauges[name])),
      latencyP50Ms: latency(HALF),
      latencyP99Ms: latency(NEARLY_ALL),
    },
  };
}

function mapNames<Name extends string>(
  names: readonly Name[],
  read: (name: Name) => Series,
): Record<Name, Series> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Series>;
}
