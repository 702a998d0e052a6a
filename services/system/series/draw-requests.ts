import { percentileOf } from './percentile.ts';
import { latencyBounds, type RequestCounts } from './request-counts.ts';
import { drawLine, type SeriesFrame, type SeriesLine } from './series-frame.ts';

export const requestSeries = [
  'answers2xx',
  'answers4xx',
  'answers5xx',
  'latencyP50Ms',
  'latencyP99Ms',
] as const;
export type RequestSeries = Readonly<Record<(typeof requestSeries)[number], SeriesLine>>;

const MS = 1_000;

/** Adds up the requests of several processes by step. Steps before the start of the first process are unknown. */
export function drawRequests(frame: SeriesFrame, all: readonly RequestCounts[]): RequestSeries {
  const { from, stepMs } = frame;
  const since = Math.min(...all.map((one) => one.since));
  const minutes = Map.groupBy(
    all.flatMap((one) => one.minutes),
    ({ at }) => Math.floor((at - from) / stepMs),
  );
  const sum = (index: number, read: (minute: RequestCounts['minutes'][number]) => number) =>
    (minutes.get(index) ?? []).reduce((total, minute) => total + read(minute), 0);
  const rate = (status: number): SeriesLine =>
    drawLine(frame, ({ index, end, seconds }) =>
      since < end ? sum(index, ({ byStatus }) => byStatus[status] ?? 0) / seconds : undefined,
    );
  const latency = (share: number): SeriesLine =>
    drawLine(frame, ({ index }) => {
      const buckets = [...latencyBounds, Number.POSITIVE_INFINITY].map((_, bucket) =>
        sum(index, ({ byLatency }) => byLatency[bucket] ?? 0),
      );
      const seconds = percentileOf(latencyBounds, buckets, share);
      return seconds && seconds * MS;
    });
  return {
    answers2xx: rate(2),
    answers4xx: rate(4),
    answers5xx: rate(5),
    latencyP50Ms: latency(0.5),
    latencyP99Ms: latency(0.99),
  };
}
