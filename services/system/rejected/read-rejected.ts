import type { ClientBase } from 'pg';
import { rejectedEntries } from '../../../shared/db/quarantine.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { type DescribedEntry, describeEntry } from './describe-entry.ts';
import { placeName, type RejectedPlace } from './rejected-place.ts';

/** A log entry that the tables do not contain. */
interface RejectedEntry extends Omit<RejectedRow, 'offset'> {
  /** As `{topic}/{partition}/{offset}`. */
  readonly id: string;
  readonly offset: number;
}

interface RejectedRow extends RejectedPlace {
  readonly reason: string;
  readonly bytes: number;
  /** The record that is quarantined because of the entry; null without one. */
  readonly entityType: string | null;
  readonly recordId: string | null;
  /** Whether an operator has acknowledged the entry, so that it is no longer a fault. */
  readonly acknowledged: boolean;
}

const MAX_LISTED = 1_000;

/**
 * Lists the first 1,000 rejected entries in the live read model, without their bytes, and counts all of them. Entries
 * that quarantine a record come first.
 */
export async function listRejected(client: ClientBase) {
  const { rows } = await client.query<RejectedRow & { readonly total: number }>(
    `select topic, partition, log_offset::text as "offset", reason,
       coalesce(octet_length(entry), 0) as bytes,
       entity_type as "entityType", record_id as "recordId", acknowledged, (count(*) over ())::int as total
     from ${await rejectedEntries(client)}
     order by record_id is null, topic, partition, log_offset limit ${MAX_LISTED}`,
  );
  return { total: rows[0]?.total ?? 0, list: rows.map(({ total: _, ...row }) => toEntry(row)) };
}

/** Returns a rejected entry with its content; undefined if the entry at this place was not rejected. */
export async function readRejected(
  client: ClientBase,
  topics: TopicNames,
  place: RejectedPlace,
): Promise<(RejectedEntry & DescribedEntry) | undefined> {
  const { topic, partition, offset } = place;
  const { rows } = await client.query<Omit<RejectedRow, 'bytes'> & { readonly entry: Buffer }>(
    `select reason, coalesce(entry, '') as entry, entity_type as "entityType",
       record_id as "recordId", acknowledged from ${await rejectedEntries(client)}
     where topic = $1 and partition = $2 and log_offset = $3`,
    [topic, partition, offset],
  );
  const [found] = rows;
  if (found === undefined) return undefined;
  const { entry, ...known } = found;
  const isDirectory = topic === topics.directory;
  return {
    ...toEntry({ ...known, ...place, bytes: entry.length }),
    ...describeEntry(entry, { isDirectory }),
  };
}

function toEntry({ offset, ...row }: RejectedRow): RejectedEntry {
  return { ...row, id: placeName({ ...row, offset }), offset: Number(offset) };
}
