import type { PartitionDirectory } from './partition-directory.ts';

/** A topic, with all data that was written under one topic id. */
export interface TopicOnDisk {
  readonly name: string;
  readonly id: string;
  /** In order of partition number, from 0 without gaps. */
  readonly partitions: readonly PartitionDirectory[];
  readonly bytes: number;
}

export interface RecoveryPlan {
  /** Topics to register in Kafka. Their partitions are in place or stray, or a mix of both after a killed recovery. */
  readonly topics: readonly TopicOnDisk[];
  /** Partitions to move away: they belong to topics that were created again under the same names. */
  readonly setAside: readonly PartitionDirectory[];
}

/** The plan, or a sentence with the reason why recovery is impossible. */
export type RecoveryVerdict = RecoveryPlan | { readonly obstacle: string };

/**
 * Plans which stray partitions to restore. Of several stray topics with the same name, the largest is restored.
 * Recovery is impossible if the stray topics are smaller than the topics that replaced them. A pure function.
 */
export function planRecovery(found: readonly PartitionDirectory[]): RecoveryVerdict {
  const byName = Map.groupBy(groupTopics(found), ({ name }) => name);
  const topics = [...byName.values()].map((same) =>
    same.reduce((first, other) => (takesPrecedence(other, first) ? other : first)),
  );
  const taken = new Set(topics.flatMap(({ partitions }) => partitions));
  const setAside = found.filter((each) => !each.isStray && !taken.has(each));
  const replaced = new Set(setAside.map(({ topic }) => topic));
  const won = topics.filter(({ name }) => replaced.has(name));
  const [wins, loses] = [sumOf(won.flatMap(({ partitions }) => partitions)), sumOf(setAside)];
  if (setAside.length > 0 && loses > wins) {
    return {
      obstacle: `The partitions that replaced stray ones (${[...replaced].join(', ')}) have ${loses} bytes, but the stray ones have only ${wins}.`,
    };
  }
  const gap = topics.find(({ partitions }) =>
    partitions.some(({ partition }, index) => partition !== index),
  );
  if (gap !== undefined) {
    const numbers = gap.partitions.map(({ partition }) => partition).join(', ');
    return { obstacle: `${gap.name} has only the partitions ${numbers}.` };
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

function takesPrecedence(one: TopicOnDisk, other: TopicOnDisk): boolean {
  const [isStray, isOtherStray] = [hasStray(one), hasStray(other)];
  return isStray === isOtherStray ? one.bytes > other.bytes : isStray;
}

export const hasStray = ({ partitions }: TopicOnDisk): boolean =>
  partitions.some(({ isStray }) => isStray);

const sumOf = (partitions: readonly PartitionDirectory[]): number =>
  partitions.reduce((sum, { bytes }) => sum + bytes, 0);
