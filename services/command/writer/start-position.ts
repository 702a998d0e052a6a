import type { Logger } from 'pino';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import type { LogPosition } from './log-tail.ts';

export interface StartPositionDeps {
  /** The projector's positions; empty before the projector's first start. Rejects with Unavailable. */
  readonly positions: () => Promise<readonly ProjectedPosition[]>;
  /** The offset after the last entry of the partition. */
  readonly end: () => Promise<bigint>;
  readonly now: () => number;
  readonly logger: Logger;
}

/** A larger lag would fill the writer's memory, so the writer waits for the projector first. */
const MAX_START_LAG = 20_000n;
/** Not logged at a first start, while the projector creates its tables. */
const WARN_AFTER_MS = 10_000;

/**
 * Returns the projector's position, or undefined while it is too far from the end of the log. Logs the wait once, then
 * a warning every ten seconds.
 */
export function createStartPosition(
  { positions, end, now, logger }: StartPositionDeps,
  at: { readonly topic: string; readonly partition: number },
): () => Promise<LogPosition | undefined> {
  let waiting: { readonly since: number; loggedAt: number } | undefined;

  function logWait(): void {
    if (waiting === undefined) {
      waiting = { since: now(), loggedAt: now() };
      logger.info(at, 'waiting for the projector before taking the partition');
    } else if (now() - waiting.loggedAt >= WARN_AFTER_MS) {
      waiting.loggedAt = now();
      const waitedMs = now() - waiting.since;
      logger.warn({ ...at, waitedMs }, 'the projector keeps a partition waiting');
    }
  }

  return async () => {
    const found = (await positions()).find(
      ({ topic, partition }) => topic === at.topic && partition === at.partition,
    );
    if (found === undefined || (await end()) - found.offset > MAX_START_LAG) {
      logWait();
      return undefined;
    }
    waiting = undefined;
    return found;
  };
}
