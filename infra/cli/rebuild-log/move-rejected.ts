/**
 * Adjusts rejected entries after their partition was rewritten. Entries of quarantined records move to their new
 * offsets, because the records remain quarantined (docs/adr/0040). Other rejected entries are not part of the rewritten
 * partition.
 */
import type { Client } from 'pg';
import { quarantineChannel } from '../../../shared/db/quarantine.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import { forEachRows } from '../for-each-rows.ts';
import type { PartitionPlan } from './plan-partitions.ts';
import { workSchema } from './work-schema.ts';

const table = `${liveSchema}.rejected_entries`;

/** A rejected entry of a quarantined record at its old offset. */
interface HeldEntry {
  readonly offset: string;
  readonly entityType: string;
  readonly recordId: string;
  readonly version: number;
}

/** Returns the entries that `moveRejected` has to move. Returns none after it has run. */
export async function findHeldEntries(
  client: Client,
  { topic, partition, first }: PartitionPlan,
): Promise<readonly HeldEntry[]> {
  const held: HeldEntry[] = [];
  await forEachRows<{ offset: string; type: string; id: string; entry: Buffer }>(
    client,
    `select log_offset as "offset", entity_type as type, record_id as id, entry from ${table}
     where topic = ${client.escapeLiteral(topic)} and partition = ${partition}
       and log_offset < ${first} and record_id is not null`,
    async (rows) => {
      for (const { offset, type, id, entry } of rows)
        held.push({ offset, entityType: type, recordId: id, version: versionOf(entry) });
    },
  );
  return held;
}

function versionOf(bytes: Buffer): number {
  const entry = decodeLogEntry(bytes);
  if (entry.kind === 'event') return entry.event.version;
  throw new Error('a record was quarantined because of an entry that is not an event');
}

/** Must be called within a transaction, after the plan was written. */
export async function moveRejected(
  client: Client,
  { topic, partition, first, filling, epochs }: PartitionPlan,
  held: readonly HeldEntry[],
): Promise<void> {
  await client.query(
    `delete from ${table} where topic = $1 and partition = $2 and record_id is null`,
    [topic, partition],
  );
  if (held.length === 0) return;
  await client.query(
    `with written as (
       select entity_type, record_id, version,
         $3::bigint + place + row_number() over (order by place, sequence) as log_offset
       from ${workSchema}.entries
         join unnest($4::text[]) with ordinality as epochs (token, place) using (token)
       where topic = $1 and partition = $2 and not left_out
     )
     update ${table} rejected set log_offset = written.log_offset
     from unnest($5::bigint[], $6::text[], $7::text[], $8::int[])
         as held (log_offset, entity_type, record_id, version)
       join written using (entity_type, record_id, version)
     where rejected.topic = $1 and rejected.partition = $2 and rejected.log_offset = held.log_offset`,
    [
      topic,
      partition,
      // Each writer's events follow its fence. Row numbers and positions in arrays start at 1.
      String(first + BigInt(filling) - 1n),
      epochs.map(({ token }) => token),
      held.map(({ offset }) => offset),
      held.map(({ entityType }) => entityType),
      held.map(({ recordId }) => recordId),
      held.map(({ version }) => version),
    ],
  );
  await client.query('select pg_notify($1, $2)', [quarantineChannel, JSON.stringify('reload')]);
}
