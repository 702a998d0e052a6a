import { inTime } from '../runtime/in-time.ts';
import type { ProjectionWatch } from './projection-watch.ts';

export const PROJECTED_WITHIN_MS = 10_000;

/** Resolves when Postgres has the event at an offset; throws Unavailable if that takes too long. */
export function createUntilProjected(projection: Pick<ProjectionWatch, 'projected' | 'passed'>) {
  return async (topic: string, partition: number, offset: bigint): Promise<void> => {
    if (projection.projected(topic, partition) > offset) return;
    await inTime(projection.passed(topic, partition, offset), PROJECTED_WITHIN_MS);
  };
}
