/** Bounds the requests under way in all partitions together: in all, and to one origin. */
export interface RequestSlots {
  /** Whether a request may start. If not, `whenFree` is called once as soon as one may: those who ask take turns. */
  isFree(whenFree: () => void): boolean;
  /**
   * Whether one to this origin may. If not, `whenFree` is called once as soon as its turn has come: then start it, or
   * `passOn`.
   */
  isFreeAt(origin: string, whenFree: () => void): boolean;
  /** Calls `whenFree` when a request may start, for one who did not ask first. */
  queue(whenFree: () => void): void;
  take(origin: string): void;
  release(origin: string): void;
  /** Whoever was called for this origin has no request to it any more: the next one is called. */
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

  /** One is called for each request that ends: neither is a slot left idle, nor do all who wait stir for it. */
  function callNext(origin: string): void {
    const use = useOf(origin);
    if (use.used < limits.perOrigin) use.waiting.shift()?.();
    if (use.used === 0 && use.waiting.length === 0) origins.delete(origin);
  }

  /** Whoever is called may have nothing to start any more; then the next one is. */
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
      callNext(origin);
      wake();
    },
    passOn(origin) {
      callNext(origin);
      wake();
    },
    used: () => limits.inAll - free,
  };
}
