/** How many failed logins an address may have: with more, further ones are refused without a check. */
export interface LoginLimit {
  isExceeded(address: string): boolean;
  noteFailure(address: string): void;
}

/** Enough for an attack from many addresses. Beyond it the address that failed longest ago is forgotten. */
const MAX_ADDRESSES = 10_000;

export function createLoginLimit(limit: {
  readonly maxFailures: number;
  readonly windowMs: number;
  readonly now: () => number;
}): LoginLimit {
  const { maxFailures, windowMs, now } = limit;
  const tooMany = maxFailures + 1;
  /** Times of the latest failures, oldest first, no more than are too many. */
  const failures = new Map<string, readonly number[]>();

  return {
    isExceeded(address) {
      const times = failures.get(address);
      const oldest = times?.[0];
      return times?.length === tooMany && oldest !== undefined && oldest > now() - windowMs;
    },
    noteFailure(address) {
      const times = [...(failures.get(address) ?? []), now()].slice(-tooMany);
      failures.delete(address);
      failures.set(address, times);
      const [forgotten] = failures.keys();
      if (failures.size > MAX_ADDRESSES && forgotten !== undefined) failures.delete(forgotten);
    },
  };
}
