import type { ClientBase } from 'pg';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';

/** Where an entry stands in the log. */
export interface RejectedPlace {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

export interface RejectedSummary extends RejectedPlace {
  readonly reason: string;
  readonly bytes: number;
}

const placeForm = /^([\w.-]+)\/(\d{1,9})\/(\d{1,18})$/;

/** `annals.records/1/4711`; undefined for anything else. */
export function toPlace(text: string): RejectedPlace | undefined {
  const [, topic = '', partition, offset = ''] = placeForm.exec(text) ?? [];
  return partition === undefined ? undefined : { topic, partition: Number(partition), offset };
}

export function placeName({ topic, partition, offset }: RejectedPlace): string {
  return `${topic}/${partition}/${offset}`;
}

/** Those of the live read model, without their bytes. */
export async function readRejected(client: ClientBase): Promise<readonly RejectedSummary[]> {
  const { rows } = await client.query<RejectedSummary>(
    `select topic, partition, log_offset::text as "offset", reason,
       coalesce(octet_length(entry), 0) as bytes
     from ${liveSchema}.rejected_entries order by topic, partition, log_offset`,
  );
  return rows;
}

export async function readRejectedEntry(
  client: ClientBase,
  { topic, partition, offset }: RejectedPlace,
): Promise<{ readonly reason: string; readonly entry: Buffer } | undefined> {
  const { rows } = await client.query<{ readonly reason: string; readonly entry: Buffer }>(
    `select reason, coalesce(entry, '') as entry from ${liveSchema}.rejected_entries
     where topic = $1 and partition = $2 and log_offset = $3`,
    [topic, partition, offset],
  );
  return rows[0];
}
