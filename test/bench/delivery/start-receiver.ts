import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../bench.ts';
import { startProgram } from '../start-program.ts';

export type ReceiverRequest = 'listen' | 'reset' | 'count';

export interface ReceiverCounts {
  requests: number;
  events: number;
  /** Milliseconds on the receiver's own clock. */
  firstAt: number;
  lastAt: number;
  readonly latenciesMs: number[];
}

export interface Receiver {
  readonly url: string;
  /** Resets all counts. */
  reset(): Promise<void>;
  counts(): Promise<ReceiverCounts>;
  /** Waits for this many events, and then until the requests stop. */
  waitForEvents(events: number, requireRunning: () => void): Promise<ReceiverCounts>;
}

const POLL_MS = 50;
const TIMEOUT_MS = 60_000;

export async function startReceiver(context: BenchContext): Promise<Receiver> {
  const program = startProgram<ReceiverRequest, unknown>(context, 'webhook-receiver.ts');
  const url = String(await program.send('listen'));
  const counts = async (): Promise<ReceiverCounts> =>
    (await program.send('count')) as ReceiverCounts;
  return {
    url,
    async reset() {
      await program.send('reset');
    },
    counts,
    async waitForEvents(events, requireRunning) {
      const deadline = performance.now() + TIMEOUT_MS;
      for (;;) {
        const found = await counts();
        if (found.events >= events) return found;
        requireRunning();
        if (performance.now() > deadline) {
          throw new Error(`received ${found.events} of ${events} events within ${TIMEOUT_MS} ms`);
        }
        await sleep(POLL_MS);
      }
    },
  };
}

/** Rate between the first request and the last. */
export function perSecond(count: number, { firstAt, lastAt }: ReceiverCounts): number {
  return Math.round((count / (lastAt - firstAt)) * 1000);
}
