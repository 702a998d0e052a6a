import type { Numbers, SeriesSample } from './sample.ts';

/**
 * The latency in seconds that this share of requests did not exceed, worked out as `histogram_quantile` of Prometheus
 * does: the requests of a bucket are taken to be spread evenly, and of those beyond the last bound nothing but that is
 * known. Undefined without requests.
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

/** The buckets of a histogram, the fastest first. */
export function byBound(latency: Numbers) {
  return Object.entries(latency)
    .map(([name, requests = 0]) => ({
      name,
      bound: name === '+Inf' ? Number.POSITIVE_INFINITY : Number(name),
      requests,
    }))
    .sort((one, other) => (one.bound < other.bound ? -1 : 1));
}
