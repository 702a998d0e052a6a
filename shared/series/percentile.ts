import type { Numbers, SeriesSample } from './sample.ts';

/**
 * Returns the latency in seconds that this share of requests did not exceed. Computed like Prometheus'
 * `histogram_quantile`: requests are assumed to be spread evenly within a bucket, and those beyond the last bound count as
 * that bound. Undefined without requests.
 */
export function percentileOf(latency: SeriesSample['latency'], share: number): number | undefined {
  const buckets = byBound(latency);
  const total = buckets.reduce((sum, { requests }) => sum + requests, 0);
  let wanted = total * share;
  let from = 0;
  for (const { bound, requests } of buckets) {
    if (requests > 0 && requests >= wanted) {
      return bound === Number.POSITIVE_INFINITY
        ? from
        : from + (bound - from) * (wanted / requests);
    }
    wanted -= requests;
    if (bound < Number.POSITIVE_INFINITY) from = bound;
  }
  return total === 0 ? undefined : from;
}

/** Returns the buckets of a histogram in ascending order of their bounds. */
export function byBound(latency: Numbers) {
  return Object.entries(latency)
    .map(([name, requests = 0]) => ({
      name,
      bound: name === '+Inf' ? Number.POSITIVE_INFINITY : Number(name),
      requests,
    }))
    .sort((one, other) => (one.bound < other.bound ? -1 : 1));
}
