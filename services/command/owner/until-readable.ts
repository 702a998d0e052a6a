import type { ProjectionWatch } from '../../../shared/db/projection-watch.ts';
import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { inTime } from '../../../shared/runtime/in-time.ts';
import type { Command } from './send-to-owner.ts';
import type { Elsewhere } from './until-known-elsewhere.ts';
import type { Executed } from './write-request.ts';

interface ReadableDeps {
  readonly projection: Pick<ProjectionWatch, 'projected' | 'passed' | 'isEventQuarantined'>;
  readonly follower: Pick<DirectoryFollower, 'waitFor'>;
  readonly elsewhere: Pick<Elsewhere, 'until'>;
  readonly topics: Pick<TopicNames, 'directory' | 'records'>;
  readonly now: () => number;
}

/**
 * Read your writes: resolves when Postgres has the event, because an answer with 2xx promises that reads see it. After
 * the deadline the write still counts, and the client is told that it cannot be read yet. For a change of the
 * directory, also waits until all instances have it in memory: the next request may go to any of them.
 */
export function createUntilReadable({
  projection,
  follower,
  elsewhere,
  topics,
  now,
}: ReadableDeps) {
  return async (
    command: Pick<Command, 'model' | 'untilReadable' | 'deadline'>,
    { partition, offset }: Pick<Executed, 'partition' | 'offset'>,
  ): Promise<void> => {
    if (offset === undefined) return;
    const isDirectory = command.model.definition.log === 'directory';
    const topic = isDirectory ? topics.directory : topics.records;
    const isReadable = () =>
      !command.untilReadable || projection.projected(topic, partition) > offset;
    const requireStored = () => {
      if (command.untilReadable && projection.isEventQuarantined(topic, partition, offset)) {
        throw changeUnstorable();
      }
    };
    if (!isDirectory && isReadable()) return requireStored();
    const waiting: Promise<void>[] = [];
    if (isDirectory) waiting.push(follower.waitFor(offset + 1n), elsewhere.until(offset + 1n));
    if (!isReadable()) waiting.push(projection.passed(topic, partition, offset));
    await inTime(Promise.all(waiting), command.deadline - now());
    requireStored();
  };
}

/** The change is in the log, and no table takes it: a bug, since decisions accept only what tables store. */
function changeUnstorable(): Refusal {
  return new Refusal(
    'internal',
    'change.unstorable',
    'The change was accepted, but the tables refuse it. The record is quarantined until an administrator retries or discards the change.',
  );
}
