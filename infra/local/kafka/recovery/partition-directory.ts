import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tried } from '../../tried.ts';

/** A partition as it lies in Kafka's log directory. */
export interface PartitionDirectory {
  /** Of the directory itself. */
  readonly name: string;
  readonly topic: string;
  readonly partition: number;
  /** Base64url. */
  readonly topicId: string;
  /** Kafka did not find it in its metadata, and put it aside. */
  readonly isStray: boolean;
  /** Of its entries. */
  readonly bytes: number;
  /** Of its latest leader. */
  readonly leaderEpoch: number;
}

const directoryName = /^(?<topic>.+)-(?<partition>\d+)(?<stray>\.[0-9a-f]{32}-stray)?$/;
const metadataTopic = '__cluster_metadata';

/** Topics of which Kafka put partitions aside when it started, since its metadata log did not know them any more. */
export function findStrayTopics(logDirectory: string): readonly string[] {
  const stray = findPartitions(logDirectory).filter(({ isStray }) => isStray);
  return [...new Set(stray.map(({ topic }) => topic))].toSorted();
}

/** The remedy for stray partitions, as part of a sentence. */
export const strayRemedy = 'stop npm start, then annals topics recover';

/** All of them but the metadata log. */
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

/** The file has a version, a count, and lines of an epoch and where it begins. */
function readLeaderEpoch(path: string): number {
  const [, , ...epochs] = readIfPresent(join(path, 'leader-epoch-checkpoint')).trim().split('\n');
  return Number(epochs.at(-1)?.split(' ')[0] ?? 0);
}

const readIfPresent = (path: string): string => tried(() => readFileSync(path, 'utf8'), '');
