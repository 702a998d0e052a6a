import { Unavailable } from '../domain/errors.ts';
import type { ProjectionWatch } from './projection-watch.ts';

export const PROJECTED_WITHIN_MS = 10_000;

/** Resolves when Postgres has the event at an offset; throws Unavailable when that takes too long. */
export function createUntilProjected(projection: Pick<ProjectionWatch, 'projected' | 'passed'>) {
  return async (topic: string, partition: number, offset: bigint): Promise<void> => {
    if (projection.projected(topic, partition) > offset) return;
    await inTime(projection.passed(topic, partition, offset), PROJECTED_WITHIN_MS);
  };
}

/** The result of the work; throws Unavailable with the message if it takes too long. */
export async function inTime<Result>(
  work: Promise<Result>,
  ms: number,
  message = 'the change is in the log, but cannot be read yet',
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable(message)), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
