import { Refusal, Unavailable, WriteUnread } from '../../../shared/domain/errors.ts';
import { toConsistencyToken } from '../../../shared/http/consistency-token.ts';
import { inTime } from '../../../shared/runtime/in-time.ts';
import type { CommandContext, StartedContext } from '../context.ts';
import type { Command, Executed } from './command.ts';

/**
 * Resolves when Postgres has all entries that were in the logs at the time of the call. Rejects with Unavailable after
 * the deadline.
 */
export type UntilCaughtUp = (deadline: number) => Promise<void>;

/** Reads the end offsets of the logs from the broker. */
export interface LogEnds {
  /** The end offsets by partition. */
  readonly recordsEnd: () => Promise<readonly bigint[]>;
  readonly directoryEnd: () => Promise<bigint>;
}

export function createUntilCaughtUp(
  { now, projection, topics }: StartedContext,
  { directoryEnd, recordsEnd }: LogEnds,
): UntilCaughtUp {
  const reach = async () => {
    const ends = Promise.all([recordsEnd(), directoryEnd()]);
    // Every error from the Kafka client means that the log is unavailable.
    const [ofRecords, ofDirectory] = await ends.catch((cause: unknown) => {
      throw new Unavailable('the end of the log cannot be read', { cause });
    });
    await Promise.all([
      projection.passed(topics.directory, 0, ofDirectory - 1n),
      ...ofRecords.map(async (end, partition) =>
        projection.passed(topics.records, partition, end - 1n),
      ),
    ]);
  };
  return async (deadline) =>
    inTime(reach(), deadline - now(), () => new Unavailable('the read model is behind the log'));
}

/**
 * Ensures read-your-writes: resolves when Postgres has the event, because a 2xx response promises that reads see it. If
 * the deadline passes, the write remains valid, and the response states that it cannot be read yet. A directory change
 * must also reach the memory of all instances, because any of them may get the next request.
 */
export async function untilReadable(
  { projection, follower, peers, topics, now }: CommandContext,
  command: Command,
  { partition, offset, state }: Executed,
): Promise<void> {
  if (offset === undefined) return;
  const { log } = command.model.definition;
  const isDirectory = log === 'directory';
  const topic = isDirectory ? topics.directory : topics.records;
  const isReadable = !command.untilReadable || projection.projected(topic, partition) > offset;
  const stored = isReadable ? undefined : projection.passed(topic, partition, offset);
  const waiting = isDirectory
    ? Promise.all([stored, follower.waitFor(offset + 1n), peers.waitFor(offset + 1n)])
    : stored;
  if (waiting !== undefined) {
    const late = command.isWholeRequest
      ? () => new WriteUnread(state.id, toConsistencyToken({ log, partition, offset }))
      : undefined;
    await inTime<unknown>(waiting, command.deadline - now(), late);
  }
  if (command.untilReadable && projection.isEventQuarantined(topic, partition, offset)) {
    throw changeUnstorable();
  }
}

/**
 * Returns the error for a change that is in the log, but that the tables reject. This is a bug, because decisions
 * accept only values that the tables can store.
 */
function changeUnstorable(): Refusal {
  return new Refusal(
    'internal',
    'change.unstorable',
    'The change was accepted, but the tables reject it. The record is quarantined until an administrator retries or discards the change.',
  );
}
