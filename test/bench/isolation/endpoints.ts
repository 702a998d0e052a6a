import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../bench.ts';
import { startProgram } from '../start-program.ts';

export type EndpointKind = 'healthy' | 'hanging' | 'dripping' | 'refusing';

/** Opens one endpoint of each listed kind, or requests the counts. */
export type ReceptionRequest = readonly EndpointKind[] | 'reset' | 'count';

export interface ReceptionCounts {
  /** Latencies from the change to the reception, for every request to a healthy endpoint. */
  readonly healthyMs: number[];
  /** Requests to endpoints that hang or drip. */
  faulty: number;
}

export interface Endpoints {
  readonly urls: readonly string[];
  /** Resets all counts. */
  reset(): Promise<void>;
  counts(): Promise<ReceptionCounts>;
  /** Waits until healthy endpoints have received this number of requests. */
  waitForHealthy(requests: number, requireRunning: () => void): Promise<ReceptionCounts>;
}

const POLL_MS = 50;
const TIMEOUT_MS = 20_000;

export async function openEndpoints(
  context: BenchContext,
  kinds: readonly EndpointKind[],
): Promise<Endpoints> {
  const program = startProgram<ReceptionRequest, unknown>(context, 'endpoint-receivers.ts');
  const urls = (await program.send(kinds)) as readonly string[];
  const counts = async () => (await program.send('count')) as ReceptionCounts;
  return {
    urls,
    counts,
    async reset() {
      await program.send('reset');
    },
    async waitForHealthy(requests, requireRunning) {
      const deadline = performance.now() + TIMEOUT_MS;
      for (;;) {
        const found = await counts();
        if (found.healthyMs.length >= requests) return found;
        requireRunning();
        if (performance.now() > deadline) {
          throw new Error(`received ${found.healthyMs.length} of ${requests} requests`);
        }
        await sleep(POLL_MS);
      }
    },
  };
}
