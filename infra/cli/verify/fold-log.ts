import { emptyFold, type FoldState } from '../../../shared/events/fold.ts';
import { type Taken, takeMessage } from '../../../shared/events/take-message.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { lacksEntries } from '../../../shared/kafka/log-damaged.ts';
import {
  type PartitionPosition,
  type ReadMessage,
  type ReadOptions,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';

export interface LogSource {
  readonly kafka: KafkaConnection;
  /** The end offset of each partition. */
  readonly ends: readonly PartitionPosition[];
  /** Where to start if not at the beginning, and the fold state there, by `topic/partition`. */
  readonly starts?: ReadonlyMap<string, { readonly offset: bigint; readonly state: FoldState }>;
  readonly onProgress: (messages: number) => void;
}

export interface FoldedLog {
  /** The final state of the fold, by `topic/partition`. */
  readonly folds: ReadonlyMap<string, FoldState>;
  /** Damaged batches that were read from another replica, each with its remedy. */
  readonly healed: readonly string[];
}

export type TakeMessage = (taken: Taken, message: ReadMessage, at: PartitionPosition) => void;

/** Larger reads take more memory and save no time. */
const bulkRead: ReadOptions = {
  maxWaitMs: 100,
  maxBytes: 1024 * 1024,
  maxBytesPerPartition: 1024 * 1024,
};

/**
 * Folds the log from its beginning up to the ends, and passes on each message. Throws LogDamaged or BatchDamaged for
 * a damaged log.
 */
export async function foldLog(source: LogSource, take: TakeMessage): Promise<FoldedLog> {
  const folds = new Map<string, FoldState>();
  const healed: string[] = [];
  for (const end of source.ends) {
    const place = `${end.topic}/${end.partition}`;
    const start = source.starts?.get(place);
    let state = start?.state ?? emptyFold;
    for await (const { messages, damage } of readUpTo(source.kafka, end, start?.offset)) {
      if (damage !== undefined) healed.push(`${damage.message}: ${damage.remedy}`);
      for (const message of messages) {
        const taken = takeMessage(state, message);
        state = taken.state;
        take(taken, message, end);
      }
      source.onProgress(messages.length);
    }
    folds.set(place, state);
  }
  return { folds, healed };
}

/** Yields the messages from an offset to the end, several at a time. Throws LogDamaged if the log ends earlier. */
export async function* readUpTo(kafka: KafkaConnection, end: PartitionPosition, start = 0n) {
  let next = start;
  while (next < end.offset) {
    const [found] = await readPartitions(kafka, [{ ...end, offset: next }], bulkRead);
    if (found === undefined) {
      throw lacksEntries({ ...end, offset: next }, { first: 0n, next: end.offset });
    }
    const messages = found.messages.filter(({ offset }) => offset < end.offset);
    yield { messages, damage: found.damage };
    next = found.nextOffset;
  }
}
