/** Limits the running requests of all partitions together, in total and per origin. */
export interface RequestSlots {
  /** Whether a request may start. If not, `whenFree` is called once when a request may start. Callers take turns. */
  isFree(whenFree: () => void): boolean;
  /**
   * Whether a request to this origin may start. If not, `whenFree` is called once when it may. Then start one, or call
   * `passOn`.
   */
  isFreeAt(origin: string, whenFree: () => void): boolean;
  /** Calls `whenFree` once when a request may start. */
  queue(whenFree: () => void): void;
  take(origin: string): void;
  release(origin: string): void;
  /** Passes an unused call of `whenFree` on to the next caller in line. */
  passOn(origin: string): void;
  used(): number;
}

interface SlotLimits {
  readonly inAll: number;
  readonly perOrigin: number;
}

interface OriginUse {
  used: number;
  readonly waiting: (() => void)[];
}

export function createRequestSlots(limits: SlotLimits): RequestSlots {
  const waiting = new Set<() => void>();
  const origins = new Map<string, OriginUse>();
  let free = limits.inAll;

  function useOf(origin: string): OriginUse {
    const use = origins.get(origin) ?? { used: 0, waiting: [] };
    origins.set(origin, use);
    return use;
  }

  /** Calls one waiting caller per request that ends, so that no slot stays idle and not all of them wake up. */
  function passOn(origin: string): void {
    const use = useOf(origin);
    if (use.used < limits.perOrigin) use.waiting.shift()?.();
    if (use.used === 0 && use.waiting.length === 0) origins.delete(origin);
    wake();
  }

  /** Calls callers until all slots are used, because a caller may have no request to start. */
  function wake(): void {
    for (const whenFree of waiting) {
      if (free === 0) return;
      waiting.delete(whenFree);
      whenFree();
    }
  }

  return {
    isFree(whenFree) {
      if (free === 0) waiting.add(whenFree);
      return free > 0;
    },
    isFreeAt(origin, whenFree) {
      const use = origins.get(origin);
      if (use === undefined || use.used < limits.perOrigin) return true;
      use.waiting.push(whenFree);
      return false;
    },
    queue: (whenFree) => void waiting.add(whenFree),
    take(origin) {
      free -= 1;
      useOf(origin).used += 1;
    },
    release(origin) {
      free += 1;
      useOf(origin).used -= 1;
      passOn(origin);
    },
    passOn,
    used: () => limits.inAll - free,
  };
}
