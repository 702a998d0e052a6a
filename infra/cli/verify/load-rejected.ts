import type { Client } from 'pg';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';

/** The rejected entries that the database has, as `topic/partition/offset`. */
export async function loadRejected(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ place: string }>(
    `select topic || '/' || partition || '/' || log_offset as place from ${liveSchema}.rejected_entries`,
  );
  return new Set(rows.map(({ place }) => place));
}
