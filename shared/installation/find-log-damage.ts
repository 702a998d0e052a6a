import type { KafkaConnection } from '../kafka/connection.ts';
import { LogDamaged, lacksEntries } from '../kafka/log-damaged.ts';
import type { FoundLog } from '../kafka/read-cluster.ts';
import {
  type PartitionPosition,
  ReadBeyondLog,
  type ReadOptions,
  readPartitions,
  startOffset,
} from '../kafka/read-partitions.ts';
import type { TopicNames } from '../kafka/topics.ts';
import { beginningOf, type Mark } from './mark.ts';
import { truthTopics } from './whole-topics.ts';

interface KnownLog {
  readonly log: FoundLog;
  readonly topics: TopicNames;
  readonly mark: Mark | undefined;
  /** Known places of missing entries, in addition to the places in the mark. */
  readonly suspects?: readonly PartitionPosition[];
}

/** Kafka always returns at least one batch, regardless of its size. */
const oneBatch: ReadOptions = { maxWaitMs: 1, maxBytes: 1, maxBytesPerPartition: 1 };

/**
 * Checks the start of every partition of the truth topics, and all known places of missing entries. Gaps elsewhere are
 * detected when they are read. Throws Unavailable.
 */
export async function findLogDamage(
  connection: KafkaConnection,
  known: KnownLog,
): Promise<LogDamaged | undefined> {
  const starts = await readStarts(connection, known);
  const [lost, ...others] = starts
    .filter(({ start, first }) => start > first)
    .map(({ topic, partition, start, first }) =>
      lacksEntries({ topic, partition, offset: first }, { first, next: start }),
    );
  if (lost !== undefined) return withOthers(lost, others);
  for (const place of suspectsOf(known)) {
    const damage = await probe(connection, known.mark, place);
    if (damage !== undefined) return damage;
  }
  return undefined;
}

interface PartitionStart {
  readonly topic: string;
  readonly partition: number;
  /** The first offset available in Kafka. */
  readonly start: bigint;
  /** The offset at which the partition should start. */
  readonly first: bigint;
}

/** Returns where the partitions of the truth topics start, and where they should start. Throws Unavailable. */
export function readStarts(
  connection: KafkaConnection,
  { log, topics, mark }: KnownLog,
): Promise<readonly PartitionStart[]> {
  const places = truthTopics(topics).flatMap((topic) =>
    Array.from({ length: log.topics.get(topic)?.partitions ?? 0 }, (_, partition) => ({
      topic,
      partition,
    })),
  );
  return Promise.all(
    places.map(async ({ topic, partition }) => {
      const start = await startOffset(connection, topic, partition);
      return { topic, partition, start, first: beginningOf(mark, topic, partition) };
    }),
  );
}

const MAX_NAMED = 4;

function withOthers(damage: LogDamaged, others: readonly LogDamaged[]): LogDamaged {
  if (others.length === 0) return damage;
  const rest = others.length - MAX_NAMED;
  const named = others.slice(0, MAX_NAMED).map(({ message }) => message);
  const more = rest > 0 ? [`${rest} more partitions start too late`] : [];
  return new LogDamaged(damage.place, [damage.problem, ...named, ...more].join('; '));
}

function suspectsOf({ log, mark, suspects = [] }: KnownLog): readonly PartitionPosition[] {
  const marked = (mark?.suspects ?? []).map(({ topic, partition, offset }) => ({
    topic,
    partition,
    offset: BigInt(offset),
  }));
  return [...marked, ...suspects].filter(
    ({ topic, partition }) => partition < (log.topics.get(topic)?.partitions ?? 0),
  );
}

/** Returns undefined if nothing is missing there, for example after a complete replica became the leader. */
async function probe(
  connection: KafkaConnection,
  mark: Mark | undefined,
  place: PartitionPosition,
): Promise<LogDamaged | undefined> {
  const { topic, partition } = place;
  try {
    // Bypasses the connection's own check, whose listener would report the place again.
    const [found] = await readPartitions({ ...connection, whole: undefined }, [place], oneBatch);
    if (found?.gap === undefined) return undefined;
    const { from: offset, next } = found.gap;
    const first = beginningOf(mark, topic, partition);
    return lacksEntries({ topic, partition, offset }, { first, next });
  } catch (error) {
    // The log may have been replaced by a shorter log.
    if (error instanceof ReadBeyondLog) return undefined;
    if (error instanceof LogDamaged) return error;
    throw error;
  }
}
