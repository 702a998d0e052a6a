import { isRestoration, type RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { emptyFold, type FoldState } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { BatchDamaged } from '../../../shared/kafka/fetch/batch-damaged.ts';
import { LogDamaged, lacksEntries } from '../../../shared/kafka/log-damaged.ts';
import type { PartitionPosition, ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { readUpTo } from '../partition-entries.ts';
import { type Buckets, bucketOf, type DigestSums, Digests } from './buckets.ts';

export interface LogSource {
  readonly kafka: KafkaConnection;
  /** The end offset of each partition. */
  readonly ends: readonly PartitionPosition[];
  /**
   * The starting positions of partitions that are not read from the beginning, and the fold states there, by
   * `topic/partition`.
   */
  readonly starts?: ReadonlyMap<string, { readonly offset: bigint; readonly state: FoldState }>;
  readonly onProgress: (messages: number) => void;
}

interface FoldedLog {
  /** The final state of the fold, by `topic/partition`. */
  readonly folds: ReadonlyMap<string, FoldState>;
  /** The rejected entries, as `topic/partition/offset`. */
  readonly rejected: ReadonlySet<string>;
  /** Damaged batches that were read from another replica, each with a remedy. */
  readonly healed: readonly string[];
}

type TakeEvent = (event: LoggedEvent, message: ReadMessage, at: PartitionPosition) => void;

/** Larger reads would use more memory without saving time. */
export const foldRead = {
  maxWaitMs: 100,
  maxBytes: 1024 * 1024,
  maxBytesPerPartition: 1024 * 1024,
};

/**
 * Folds the log up to the ends, and calls `take` for each valid event. Throws LogDamaged or BatchDamaged for a damaged
 * log.
 */
export async function foldLog(source: LogSource, take: TakeEvent): Promise<FoldedLog> {
  const folded = { folds: new Map<string, FoldState>(), rejected: new Set<string>(), healed: [] };
  for (const end of source.ends) await foldPartition(source, end, { ...folded, take });
  return folded;
}

async function foldPartition(
  { kafka, starts, onProgress }: LogSource,
  end: PartitionPosition,
  { folds, rejected, healed, take }: Folding,
): Promise<void> {
  const place = `${end.topic}/${end.partition}`;
  let { state, offset: next } = starts?.get(place) ?? { state: emptyFold, offset: 0n };
  const takeOne = (message: ReadMessage): void => {
    const taken = takeMessage(state, message);
    state = taken.state;
    if (taken.entry?.kind === 'event') take(taken.entry.event, message, end);
    else if (taken.entry === undefined && taken.leftOut !== 'superseded')
      rejected.add(`${place}/${message.offset}`);
  };
  for await (const read of readUpTo(kafka, end, { start: next, options: foldRead })) {
    if (read.damage !== undefined) healed.push(`${read.damage.message}: ${read.damage.remedy}`);
    read.messages.forEach(takeOne);
    onProgress(read.messages.length);
    next = read.nextOffset;
  }
  if (next < end.offset)
    throw lacksEntries({ ...end, offset: next }, { first: 0n, next: end.offset });
  folds.set(place, state);
}

interface Folding {
  readonly folds: Map<string, FoldState>;
  readonly rejected: Set<string>;
  readonly healed: string[];
  readonly take: TakeEvent;
}

/** Returns an OperatorError if the error reports a damaged log; otherwise the error itself. */
export function orRefusal(error: unknown): unknown {
  if (error instanceof BatchDamaged) {
    return new OperatorError(
      `The log is ${error.message}, so the tables cannot be compared with it: ${error.remedy}.`,
    );
  }
  if (!(error instanceof LogDamaged)) return error;
  return new OperatorError(
    `The log is damaged, so the tables cannot be compared with it: ${error.message}. Do not rebuild the tables: they still contain the entries that the log has lost. ${error.remedy}.`,
  );
}

/** A summary of the log that takes a few hundred kilobytes. */
export interface LogDigest extends FoldedLog {
  /** Digests of the bytes of valid events. These bytes include the record and the version. */
  readonly events: DigestSums;
  /** The number of live records, by `Type/partition`. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Folds the log. Digests only the events of records in these buckets. */
export async function digestLog(source: LogSource, buckets: Buckets): Promise<LogDigest> {
  const events = new Digests();
  const counts = new Map<string, number>();
  const folded = await foldLog(source, (event, { value }, { partition }) => {
    const key = `${event.entityType}/${partition}`;
    counts.set(key, (counts.get(key) ?? 0) + liveChange(event));
    const bucket = bucketOf(event.entityType, event.recordId);
    if (buckets.has(bucket)) events.add(bucket, value ?? Buffer.alloc(0));
  });
  return { ...folded, events, counts };
}

/** Returns by how much an event changes the number of live records. */
export function liveChange(event: RecordEvent): number {
  if (event.type === 'Created') return 1;
  if (event.type === 'Deleted') return -1;
  return isRestoration(event) ? 1 : 0;
}
