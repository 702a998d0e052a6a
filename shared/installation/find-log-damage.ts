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
  /** Places where entries were missing before, in addition to those of the mark. */
  readonly suspects?: readonly PartitionPosition[];
}

/** Kafka returns at least one batch, whatever its size. */
const oneBatch: ReadOptions = { maxWaitMs: 1, maxBytes: 1, maxBytesPerPartition: 1 };

/**
 * Looks at the beginnings of all partitions of truth topics, and at places where entries were missing before. Gaps in other
 * places are found by whoever reads them. Throws Unavailable.
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
  /** The first offset that Kafka has. */
  readonly start: bigint;
  /** The offset at which the partition begins. */
  readonly first: bigint;
}

/** Where the partitions of truth topics begin, and where they should. Throws Unavailable. */
export function readStarts(
  connection: KafkaConnection,
  { log, topics, mark }: Pick<KnownLog, 'log' | 'topics' | 'mark'>,
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

const NAMED = 4;

function withOthers(damage: LogDamaged, others: readonly LogDamaged[]): LogDamaged {
  if (others.length === 0) return damage;
  const rest = others.length - NAMED;
  const named = others.slice(0, NAMED).map(({ message }) => message);
  const more = rest > 0 ? [`${rest} more partitions begin too late`] : [];
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

/** Undefined if the place is whole, as after a replica with all entries became the leader. */
async function probe(
  connection: KafkaConnection,
  mark: Mark | undefined,
  place: PartitionPosition,
): Promise<LogDamaged | undefined> {
  const { topic, partition } = place;
  try {
    // Without the connection's own check, whose listener would suspect the place again.
    const [found] = await readPartitions({ ...connection, whole: undefined }, [place], oneBatch);
    if (found?.gap === undefined) return undefined;
    const { from: offset, next } = found.gap;
    const first = beginningOf(mark, topic, partition);
    return lacksEntries({ topic, partition, offset }, { first, next });
  } catch (error) {
    // The log may have been replaced by a shorter one.
    if (error instanceof ReadBeyondLog) return undefined;
    if (error instanceof LogDamaged) return error;
    throw error;
  }
}
