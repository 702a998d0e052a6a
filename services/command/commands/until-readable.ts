import type { ProjectionWatch } from '../../../shared/db/projection-watch.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';

/** An event in the log, and how long its writer is ready to wait (milliseconds since 1970). */
interface WrittenAt {
  readonly partition: number;
  readonly offset: bigint;
  readonly deadline: number;
}

export type UntilReadable = (written: WrittenAt) => Promise<void>;

/**
 * Read your writes: resolves when Postgres has the event, since an answer with 2xx promises that a read sees it. Past
 * the deadline the write stands all the same, and its writer is told that it cannot be read yet.
 */
export function createUntilReadable(
  projection: ProjectionWatch,
  topic: string,
  now: () => number,
): UntilReadable {
  return async ({ partition, offset, deadline }) => {
    if (projection.projected(topic, partition) > offset) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Unavailable('the change is in the log, but cannot be read yet')),
        Math.max(0, deadline - now()),
      );
    });
    try {
      await Promise.race([projection.passed(topic, partition, offset), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
