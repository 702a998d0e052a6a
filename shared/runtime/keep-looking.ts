import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

const INTERVAL_MS = 10_000;

/** Runs a task again and again, first after a delay. A failed run is repeated at the next interval. */
export function keepLooking(
  look: () => Promise<void>,
  {
    log,
    what,
    everyMs = INTERVAL_MS,
  }: { readonly log: Logger; readonly what: string; readonly everyMs?: number },
): { close(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const work = async () => {
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await look().catch((err: unknown) => log.warn({ err, what }, 'not looked after this time'));
    }
  };
  const working = work();
  return {
    async close() {
      stopping.abort();
      await working;
    },
  };
}
