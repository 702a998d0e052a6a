import type { Clock } from '../../../shared/runtime/clock.ts';

export interface MovableClock extends Clock {
  /** Moves the clock forward, and immediately runs timers that become due. */
  move(ms: number): void;
}

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
  handle: NodeJS.Timeout;
}

/** Runs like the machine's clock, ahead of it by the moved time. */
export function createMovableClock(): MovableClock {
  const timers = new Set<Timer>();
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;

  function arm(timer: Pick<Timer, 'dueAt' | 'callback'>): NodeJS.Timeout {
    return setTimeout(
      () => {
        timers.delete(timer as Timer);
        timer.callback();
      },
      Math.max(0, timer.dueAt - now()),
    );
  }

  return {
    now,
    after(ms, callback) {
      const timer = { dueAt: now() + ms, callback };
      const armed: Timer = Object.assign(timer, { handle: arm(timer) });
      timers.add(armed);
      return () => {
        timers.delete(armed);
        clearTimeout(armed.handle);
      };
    },
    move(ms) {
      aheadMs += ms;
      for (const timer of timers) {
        clearTimeout(timer.handle);
        timer.handle = arm(timer);
      }
    },
  };
}
