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
  /** Topics that Kafka shall know. Their partitions are in place, stray, or both after a recovery that was killed. */
  readonly topics: readonly TopicOnDisk[];
  /** Partitions in their places: of topics that were created again under the same names. */
  readonly setAside: readonly PartitionDirectory[];
}

/** The plan, or a sentence that says why there can be none. */
export type RecoveryVerdict = RecoveryPlan | { readonly obstacle: string };

/**
 * Plans which stray partitions come back: of several topics with the same name those of the one with the most bytes. A
 * stray topic that holds less than the topic in its place was given up long ago, and does not come back. Pure.
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

export const hasStray = ({ partitions }: TopicOnDisk): boolean =>
  partitions.some(({ isStray }) => isStray);

const sumOf = (partitions: readonly PartitionDirectory[]): number =>
  partitions.reduce((sum, { bytes }) => sum + bytes, 0);
