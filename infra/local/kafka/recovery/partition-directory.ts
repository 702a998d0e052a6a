import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tryOr } from '../../try-or.ts';

/** A partition in Kafka's log directory. */
export interface PartitionDirectory {
  /** The name of the directory. */
  readonly name: string;
  readonly topic: string;
  readonly partition: number;
  /** Base64url. */
  readonly topicId: string;
  /** True if Kafka did not find the partition in its metadata, and renamed its directory. */
  readonly isStray: boolean;
  /** The total size of its segments. */
  readonly bytes: number;
  /** The epoch of its latest leader. */
  readonly leaderEpoch: number;
}

const directoryName = /^(?<topic>.+)-(?<partition>\d+)(?<stray>\.[0-9a-f]{32}-stray)?$/;
const metadataTopic = '__cluster_metadata';

/**
 * Returns the topics with partitions that Kafka renamed when it started, because its metadata log did not list them.
 */
export function findStrayTopics(logDirectory: string): readonly string[] {
  const stray = findPartitions(logDirectory).filter(({ isStray }) => isStray);
  return [...new Set(stray.map(({ topic }) => topic))].toSorted();
}

/** The remedy for stray partitions, as part of a sentence. */
export const strayRemedy = 'stop npm start, then run annals topics recover';

/** Returns all partitions except the metadata log. */
export function findPartitions(logDirectory: string): readonly PartitionDirectory[] {
  if (!existsSync(logDirectory)) return [];
  return readdirSync(logDirectory).flatMap((name) => {
    const { topic, partition, stray } = directoryName.exec(name)?.groups ?? {};
    if (topic === undefined || topic === metadataTopic) return [];
    const path = join(logDirectory, name);
    const topicId = /^topic_id: (.{22})$/m.exec(
      readIfPresent(join(path, 'partition.metadata')),
    )?.[1];
    if (topicId === undefined) return [];
    return {
      name,
      topic,
      partition: Number(partition),
      topicId,
      isStray: stray !== undefined,
      bytes: bytesOf(path),
      leaderEpoch: readLeaderEpoch(path),
    };
  });
}

function bytesOf(path: string): number {
  return readdirSync(path)
    .filter((name) => name.endsWith('.log'))
    .reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}

/** The file consists of a version, a count, and one line per epoch, with the epoch and its first offset. */
function readLeaderEpoch(path: string): number {
  const [, , ...epochs] = readIfPresent(join(path, 'leader-epoch-checkpoint')).trim().split('\n');
  return Number(epochs.at(-1)?.split(' ')[0] ?? 0);
}

const readIfPresent = (path: string): string => tryOr(() => readFileSync(path, 'utf8'), '');
