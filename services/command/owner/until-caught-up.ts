import type { ProjectionWatch } from '../../../shared/db/projection-watch.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { inTime } from '../../../shared/runtime/in-time.ts';

interface CatchUpDeps {
  readonly projection: ProjectionWatch;
  readonly topics: Pick<TopicNames, 'directory' | 'records'>;
  /** The current end offsets of both logs, by partition. */
  readonly recordsEnd: () => Promise<readonly bigint[]>;
  readonly directoryEnd: () => Promise<bigint>;
  readonly now: () => number;
}

/**
 * Resolves when Postgres has all entries that the logs had at the time of the call. Rejects with Unavailable after the
 * deadline.
 */
export type UntilCaughtUp = (deadline: number) => Promise<void>;

export function createUntilCaughtUp(deps: CatchUpDeps): UntilCaughtUp {
  const { projection, topics, recordsEnd, directoryEnd, now } = deps;
  const reach = async () => {
    const ends = Promise.all([recordsEnd(), directoryEnd()]);
    // Any error of the Kafka client means that the log is unavailable.
    const [ofRecords, ofDirectory] = await ends.catch((cause: unknown) => {
      throw new Unavailable('the log does not tell its end', { cause });
    });
    await Promise.all([
      projection.passed(topics.directory, 0, ofDirectory - 1n),
      ...ofRecords.map(async (end, partition) =>
        projection.passed(topics.records, partition, end - 1n),
      ),
    ]);
  };
  return async (deadline) => inTime(reach(), deadline - now(), 'the read model is behind the log');
}
