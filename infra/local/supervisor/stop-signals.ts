import type { EventEmitter } from 'node:events';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SAME_REQUEST_MS = 1_000;

export interface StopSignals {
  /** Resolves at the first signal. */
  readonly requested: Promise<void>;
  ignore(): void;
}

/**
 * A single Ctrl-C may arrive several times: from the terminal, and forwarded by npm and by the bootstrap script. A
 * signal within a second of the first one therefore counts as the same request. A later one means that the user does
 * not want to wait.
 */
export function listenForStopSignals(source: EventEmitter, onForced: () => void): StopSignals {
  let firstAt: number | undefined;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onSignal = (): void => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      resolve();
    } else if (Date.now() - firstAt > SAME_REQUEST_MS) {
      onForced();
    }
  };
  for (const signal of signals) source.on(signal, onSignal);
  return {
    requested: promise,
    ignore() {
      for (const signal of signals) source.off(signal, onSignal);
    },
  };
}
