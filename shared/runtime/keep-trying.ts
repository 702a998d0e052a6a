import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../domain/errors.ts';

const RETRY_AFTER_MS = 300;

/** For what a service cannot start without: tries for ever while a part is unavailable; anything else is thrown. */
export async function keepTrying<Answer>(
  step: string,
  log: Logger,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    try {
      return await attempt();
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      log.info({ step, reason: err.message }, 'waiting for a part to become available');
      await sleep(RETRY_AFTER_MS);
    }
  }
}
