/** Limits the requests under way in all partitions together: in all, and to one origin. */
export interface RequestSlots {
  /** Whether a request may start. If not, `whenFree` is called once when one may: callers take turns. */
  isFree(whenFree: () => void): boolean;
  /**
   * Whether a request to this origin may start. If not, `whenFree` is called once when it may: then start it, or call
   * `passOn`.
   */
  isFreeAt(origin: string, whenFree: () => void): boolean;
  /** Calls `whenFree` when a request may start, without asking first. */
  queue(whenFree: () => void): void;
  take(origin: string): void;
  release(origin: string): void;
  /** Called if there is no request to this origin any more: the next caller in line is called. */
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

  /** One call for each request that ends, so that no slot stays idle and not everybody in line is woken. */
  function passOn(origin: string): void {
    const use = useOf(origin);
    if (use.used < limits.perOrigin) use.waiting.shift()?.();
    if (use.used === 0 && use.waiting.length === 0) origins.delete(origin);
    wake();
  }

  /** If the first in line has nothing to start any more, the next one is called. */
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
