import type { PartitionDirectory } from './partition-directory.ts';

/** A topic with all that it was written under one id. */
export interface TopicOnDisk {
  readonly name: string;
  readonly id: string;
  /** By number, from 0 on without a gap. */
  readonly partitions: readonly PartitionDirectory[];
  readonly bytes: number;
}

export interface RecoveryPlan {
  /** Those that Kafka is to know, with partitions that are in their places, stray, or both after a recovery that was killed. */
  readonly topics: readonly TopicOnDisk[];
  /** What lies in their places: topics of the same names that were made anew. */
  readonly setAside: readonly PartitionDirectory[];
}

/** What is to be done, or why nothing can be, as a sentence. */
export type RecoveryVerdict = RecoveryPlan | { readonly obstacle: string };

/**
 * What is stray comes back, of several topics with the same name the one with the most bytes; but not where what has
 * taken its place holds more: then it is the remainder of something that was given up long ago. Pure.
 */
export function planRecovery(found: readonly PartitionDirectory[]): RecoveryVerdict {
  const byName = Map.groupBy(groupTopics(found), ({ name }) => name);
  const topics = [...byName.values()].map((same) =>
    same.reduce((first, other) => (goesBefore(other, first) ? other : first)),
  );
  const taken = new Set(topics.flatMap(({ partitions }) => partitions));
  const setAside = found.filter((each) => !each.isStray && !taken.has(each));
  const replaced = new Set(setAside.map(({ topic }) => topic));
  const won = topics.filter(({ name }) => replaced.has(name));
  const [wins, loses] = [sumOf(won.flatMap(({ partitions }) => partitions)), sumOf(setAside)];
  if (setAside.length > 0 && loses > wins) {
    return {
      obstacle: `What has taken the places of stray partitions (${[...replaced].join(', ')}) holds ${loses} bytes, and they hold ${wins}.`,
    };
  }
  const gap = topics.find(({ partitions }) =>
    partitions.some(({ partition }, index) => partition !== index),
  );
  if (gap !== undefined) {
    const numbers = gap.partitions.map(({ partition }) => partition).join(', ');
    return { obstacle: `Of ${gap.name} there are only the partitions ${numbers}.` };
  }
  return { topics, setAside };
}

function groupTopics(found: readonly PartitionDirectory[]): readonly TopicOnDisk[] {
  const groups = Map.groupBy(found, ({ topic, topicId }) => `${topic} ${topicId}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const partitions = group.toSorted((one, other) => one.partition - other.partition);
    return { name: first.topic, id: first.topicId, partitions, bytes: sumOf(group) };
  });
}

function goesBefore(one: TopicOnDisk, other: TopicOnDisk): boolean {
  const [isStray, isOtherStray] = [hasStray(one), hasStray(other)];
  return isStray === isOtherStray ? one.bytes > other.bytes : isStray;
}

const hasStray = ({ partitions }: TopicOnDisk): boolean =>
  partitions.some(({ isStray }) => isStray);

const sumOf = (partitions: readonly PartitionDirectory[]): number =>
  partitions.reduce((sum, { bytes }) => sum + bytes, 0);
