/** The clock that determines when webhooks are sent and logins expire. Tests can pass a clock that they control. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back once after `ms` milliseconds of this clock; the returned function cancels the call. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
