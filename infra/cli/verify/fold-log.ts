import { emptyFold, type FoldState } from '../../../shared/events/fold.ts';
import { type Taken, takeMessage } from '../../../shared/events/take-message.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  type PartitionPosition,
  type ReadMessage,
  type ReadOptions,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import { lackingEntries } from './damaged-log.ts';

export interface LogSource {
  readonly kafka: KafkaConnection;
  /** The end offset of each partition. */
  readonly ends: readonly PartitionPosition[];
  readonly onProgress: (messages: number) => void;
}

export interface FoldedLog {
  /** The fold's state at the end, by `topic/partition`. */
  readonly folds: ReadonlyMap<string, FoldState>;
  /** Damaged batches that were read from another replica, each with its remedy. */
  readonly healed: readonly string[];
}

export type TakeMessage = (taken: Taken, message: ReadMessage, at: PartitionPosition) => void;

/** Larger reads take more memory and no less time. */
const bulkRead: ReadOptions = {
  maxWaitMs: 100,
  maxBytes: 1024 * 1024,
  maxBytesPerPartition: 1024 * 1024,
};

/**
 * Folds the log from its beginning up to the ends, and hands each message on. Throws an error that `describeDamage`
 * describes if the log lacks entries or has damaged ones.
 */
export async function foldLog(source: LogSource, take: TakeMessage): Promise<FoldedLog> {
  const folds = new Map<string, FoldState>();
  const healed: string[] = [];
  for (const end of source.ends) {
    let state = emptyFold;
    for await (const { messages, damage } of readUpTo(source, end)) {
      if (damage !== undefined) healed.push(`${damage.message}: ${damage.remedy}`);
      for (const message of messages) {
        const taken = takeMessage(state, message);
        state = taken.state;
        take(taken, message, end);
      }
      source.onProgress(messages.length);
    }
    folds.set(`${end.topic}/${end.partition}`, state);
  }
  return { folds, healed };
}

/** The messages before the end, some at a time; every offset has one. */
async function* readUpTo({ kafka }: LogSource, end: PartitionPosition) {
  let next = 0n;
  while (next < end.offset) {
    const [found] = await readPartitions(kafka, [{ ...end, offset: next }], bulkRead);
    const first = found?.messages[0]?.offset ?? end.offset;
    if (found === undefined || first > next) throw lackingEntries(end, next, first);
    const messages = found.messages.filter(({ offset }) => offset < end.offset);
    const gap = messages.findIndex(({ offset }, index) => offset !== next + BigInt(index));
    const afterGap = messages[gap]?.offset;
    if (afterGap !== undefined) throw lackingEntries(end, next + BigInt(gap), afterGap);
    yield { messages, damage: found.damage };
    next = found.nextOffset;
  }
}
