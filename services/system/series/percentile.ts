/**
 * Returns the latency in seconds that this share of requests did not exceed; undefined without requests. Computed like
 * Prometheus' `histogram_quantile`: requests are assumed to be spread evenly within a bucket, and those beyond the last
 * bound count as that bound. `requests` contains one number per bound, and one for the requests beyond the last bound.
 */
export function percentileOf(
  bounds: readonly number[],
  requests: readonly number[],
  share: number,
): number | undefined {
  const total = requests.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let wanted = total * share;
  let from = 0;
  for (const [index, bound] of bounds.entries()) {
    const count = requests[index] ?? 0;
    if (count > 0 && count >= wanted) return from + (bound - from) * (wanted / count);
    wanted -= count;
    from = bound;
  }
  return from;
}
