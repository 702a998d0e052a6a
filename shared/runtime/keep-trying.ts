import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../domain/errors.ts';

const RETRY_AFTER_MS = 300;
/**
 * The pause after failures that an operator has to fix. Retries must not flood the log, or send a flood of logins to
 * the other side.
 */
const RETRY_AFTER_REFUSAL_MS = 5_000;
const LOG_AGAIN_AFTER_MS = 10_000;

/**
 * Waits for a dependency that a service needs to start: retries forever while it is unavailable. Rethrows any other
 * error, including an abort by `signal`.
 */
export async function keepTrying<Answer>(
  step: string,
  log: Logger,
  attempt: () => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  const logWait = createWaitLog(step, log);
  for (;;) {
    try {
      return await attempt();
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      logWait(err);
      const delayMs = err.remedy === undefined ? RETRY_AFTER_MS : RETRY_AFTER_REFUSAL_MS;
      await sleep(delayMs, undefined, { signal });
    }
  }
}

/** Logs the reason for waiting whenever it changes, and every ten seconds. */
function createWaitLog(step: string, log: Logger): (err: Unavailable) => void {
  let logged: { readonly reason: string; readonly at: number } | undefined;
  return ({ message: reason, remedy }) => {
    const at = Date.now();
    if (logged?.reason === reason && at - logged.at < LOG_AGAIN_AFTER_MS) return;
    logged = { reason, at };
    const level = remedy === undefined ? 'info' : 'error';
    log[level]({ step, reason, remedy }, 'waiting for a part to become available');
  };
}
