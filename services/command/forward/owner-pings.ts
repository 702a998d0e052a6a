import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

/** The instance at an address neither answers nor refuses: it is paused, or its host is gone. */
export class OwnerSilent extends Error {
  override readonly name = 'OwnerSilent';
}

/** An answer takes longer only for a reason that a ping then shows, or shows not to be the owner's fault. */
const FIRST_PING_MS = 250;
const NEXT_PING_MS = 250;
/** Fencing an owner that is merely slow is safe, only wasteful. */
const SILENT_AFTER_MS = 1_000;

/** Watches the owners that commands are waiting for; one ping at a time per address, however many wait. */
export function createOwnerPings() {
  const pings = new Map<string, Promise<boolean>>();

  function ping(address: string): Promise<boolean> {
    const running = pings.get(address);
    if (running !== undefined) return running;
    const started = isAlive(address).finally(() => pings.delete(address));
    pings.set(address, started);
    return started;
  }

  async function untilSilent(address: string, signal: AbortSignal): Promise<never> {
    await sleep(FIRST_PING_MS, undefined, { signal });
    while (await ping(address)) await sleep(NEXT_PING_MS, undefined, { signal });
    throw new OwnerSilent(address);
  }

  return {
    /** The answer, or OwnerSilent as soon as whoever should give it does not answer a ping within a second. */
    async orSilent<Answer>(address: string, answer: Promise<Answer>): Promise<Answer> {
      const answered = new AbortController();
      const silent = untilSilent(address, answered.signal);
      silent.catch(() => undefined);
      try {
        return await Promise.race([answer, silent]);
      } finally {
        answered.abort();
      }
    },
  };
}

async function isAlive(address: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${address}/livez`, {
      signal: AbortSignal.timeout(SILENT_AFTER_MS),
    });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}
