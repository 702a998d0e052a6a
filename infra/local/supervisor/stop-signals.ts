import type { EventEmitter } from 'node:events';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SAME_REQUEST_MS = 1_000;

export interface StopSignals {
  /** Settles at the first signal. */
  readonly requested: Promise<void>;
  ignore(): void;
}

/**
 * One Ctrl-C may arrive more than once: from the terminal, and passed on by npm and by the bootstrap
 * script. What follows the first signal within a second is therefore the same request; what comes
 * later is a person who does not want to wait.
 */
export function listenForStopSignals(source: EventEmitter, onForced: () => void): StopSignals {
  let firstAt: number | undefined;
  const { promise, resolve } = Promise.withResolvers<void>();
  const take = (): void => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      resolve();
    } else if (Date.now() - firstAt > SAME_REQUEST_MS) {
      onForced();
    }
  };
  for (const signal of signals) source.on(signal, take);
  return {
    requested: promise,
    ignore() {
      for (const signal of signals) source.off(signal, take);
    },
  };
}
