import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../domain/errors.ts';

const RETRY_AFTER_MS = 300;
/** For failures that an operator has to fix: retries must flood neither the log nor the other side with log-ins. */
const RETRY_AFTER_REFUSAL_MS = 5_000;
const TELL_AGAIN_AFTER_MS = 10_000;

/**
 * For what a service needs to start: retries for ever while a dependency is unavailable. Any other error is thrown, as
 * is the abort by `signal`.
 */
export async function keepTrying<Answer>(
  step: string,
  log: Logger,
  attempt: () => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  const tell = createTeller(step, log);
  for (;;) {
    try {
      return await attempt();
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      tell(err);
      const delayMs = err.remedy === undefined ? RETRY_AFTER_MS : RETRY_AFTER_REFUSAL_MS;
      await sleep(delayMs, undefined, { signal });
    }
  }
}

/** Logs the reason for waiting whenever it changes, and every ten seconds. */
function createTeller(step: string, log: Logger): (err: Unavailable) => void {
  let told: { readonly reason: string; readonly at: number } | undefined;
  return ({ message: reason, remedy }) => {
    const at = Date.now();
    if (told?.reason === reason && at - told.at < TELL_AGAIN_AFTER_MS) return;
    told = { reason, at };
    const level = remedy === undefined ? 'info' : 'error';
    log[level]({ step, reason, remedy }, 'waiting for a part to become available');
  };
}
