import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../domain/errors.ts';

const RETRY_AFTER_MS = 300;
/** Where a person has to change something first: the log shall not drown in it, nor the other side in log-ins. */
const RETRY_AFTER_REFUSAL_MS = 5_000;

const never = new AbortController().signal;

/**
 * For what a service cannot start without: tries for ever while a part is unavailable; anything else is thrown, as is
 * the end of the waiting by `signal`.
 */
export async function keepTrying<Answer>(
  step: string,
  log: Logger,
  attempt: () => Promise<Answer>,
  signal: AbortSignal = never,
): Promise<Answer> {
  for (;;) {
    try {
      return await attempt();
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      const { message: reason, remedy } = err;
      const level = remedy === undefined ? 'info' : 'error';
      log[level]({ step, reason, remedy }, 'waiting for a part to become available');
      const delayMs = remedy === undefined ? RETRY_AFTER_MS : RETRY_AFTER_REFUSAL_MS;
      await sleep(delayMs, undefined, { signal });
    }
  }
}
