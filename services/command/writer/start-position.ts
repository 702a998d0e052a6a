import type { Logger } from 'pino';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import type { LogPosition } from './log-tail.ts';

export interface StartPositionDeps {
  /** How far the projector has come everywhere; nowhere before its very first start. Throws Unavailable. */
  readonly positions: () => Promise<readonly ProjectedPosition[]>;
  /** The offset after the last entry of the partition. */
  readonly end: () => Promise<bigint>;
  readonly now: () => number;
  readonly logger: Logger;
}

/** A writer that starts further behind than this would hold too much in memory: it waits for the projector. */
const MAX_START_LAG = 20_000n;
/** At a first start the projector makes its tables meanwhile, which is no fault. */
const WARN_AFTER_MS = 10_000;

/**
 * Answers where the projector stands, or undefined while that is too far from the end of the log, which is told once,
 * and as a warning each ten seconds that it lasts.
 */
export function createStartPosition(
  { positions, end, now, logger }: StartPositionDeps,
  at: { readonly topic: string; readonly partition: number },
): () => Promise<LogPosition | undefined> {
  let waiting: { readonly since: number; toldAt: number } | undefined;

  function tell(): void {
    if (waiting === undefined) {
      waiting = { since: now(), toldAt: now() };
      logger.info(at, 'waiting for the projector before taking the partition');
    } else if (now() - waiting.toldAt >= WARN_AFTER_MS) {
      waiting.toldAt = now();
      const waitedMs = now() - waiting.since;
      logger.warn({ ...at, waitedMs }, 'the projector keeps a partition waiting');
    }
  }

  return async () => {
    const found = (await positions()).find(
      ({ topic, partition }) => topic === at.topic && partition === at.partition,
    );
    if (found === undefined || (await end()) - found.offset > MAX_START_LAG) {
      tell();
      return undefined;
    }
    waiting = undefined;
    return found;
  };
}
