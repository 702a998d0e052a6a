/** Enough for an attack from many addresses. Beyond this number, the address with the oldest failure is dropped. */
const MAX_ADDRESSES = 10_000;

/** Limits the failed logins per address. Above the limit, further logins are rejected without a check. */
export function createLoginLimit(limit: {
  readonly maxFailures: number;
  readonly windowMs: number;
  readonly now: () => number;
}) {
  const { maxFailures, windowMs, now } = limit;
  const tooMany = maxFailures + 1;
  /** Times of the latest failures, oldest first; at most one more than the limit. */
  const failures = new Map<string, readonly number[]>();

  return {
    isExceeded(address: string): boolean {
      const times = failures.get(address);
      const oldest = times?.[0];
      return times?.length === tooMany && oldest !== undefined && oldest > now() - windowMs;
    },
    recordFailure(address: string): void {
      const times = [...(failures.get(address) ?? []), now()].slice(-tooMany);
      failures.delete(address);
      failures.set(address, times);
      const [forgotten] = failures.keys();
      if (failures.size > MAX_ADDRESSES && forgotten !== undefined) failures.delete(forgotten);
    },
  };
}
