import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

const INTERVAL_MS = 10_000;

/** Runs a task periodically, first after one interval. A failed run is logged and repeated at the next interval. */
export function runPeriodically(
  task: () => Promise<void>,
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
      await task().catch((err: unknown) => log.warn({ err, what }, 'periodic task failed'));
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
