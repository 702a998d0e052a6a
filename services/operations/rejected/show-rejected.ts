import type { ClientBase } from 'pg';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { type DescribedEntry, describeEntry } from './describe-entry.ts';
import {
  placeName,
  type RejectedPlace,
  type RejectedSummary,
  readRejected,
  readRejectedEntry,
} from './read-rejected.ts';

/** An entry of the log that no table took. */
export interface RejectedEntry extends Omit<RejectedSummary, 'offset'> {
  /** `{topic}/{partition}/{offset}`. */
  readonly id: string;
  readonly offset: number;
}

export async function listRejected(client: ClientBase): Promise<readonly RejectedEntry[]> {
  return (await readRejected(client)).map(toEntry);
}

/** With what is in it; undefined if no such entry was rejected. */
export async function showRejected(
  client: ClientBase,
  topics: Pick<TopicNames, 'directory'>,
  place: RejectedPlace,
): Promise<(RejectedEntry & DescribedEntry) | undefined> {
  const found = await readRejectedEntry(client, place);
  if (found === undefined) return undefined;
  const { reason, entry } = found;
  const isDirectory = place.topic === topics.directory;
  return {
    ...toEntry({ ...place, reason, bytes: entry.length }),
    ...describeEntry(entry, { isDirectory }),
  };
}

function toEntry({ topic, partition, offset, reason, bytes }: RejectedSummary): RejectedEntry {
  const id = placeName({ topic, partition, offset });
  return { id, topic, partition, offset: Number(offset), reason, bytes };
}
