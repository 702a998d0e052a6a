import type { Client } from 'pg';
import { rejectedEntries } from '../../../shared/db/quarantine.ts';

export interface QuarantinedRecord {
  readonly entityType: string;
  readonly id: string;
  /** The positions of the record's entries from the first one that the tables rejected. */
  readonly entries: readonly string[];
}

export interface Rejected {
  /** All entries that the database lists as rejected, as `topic/partition/offset`. */
  readonly places: ReadonlySet<string>;
  /** The records to which these entries belong, by `Type/id`. They have no rows (docs/adr/0040). */
  readonly quarantined: ReadonlyMap<string, QuarantinedRecord>;
}

export async function loadRejected(client: Client): Promise<Rejected> {
  const { rows } = await client.query<{ place: string; type: string | null; id: string | null }>(
    `select topic || '/' || partition || '/' || log_offset as place, entity_type as type, record_id as id
     from ${await rejectedEntries(client)} order by topic, partition, log_offset`,
  );
  const ofRecords = rows.flatMap(({ place, type, id }) =>
    type === null || id === null ? [] : [{ place, entityType: type, id }],
  );
  const grouped = Map.groupBy(ofRecords, ({ entityType, id }) => `${entityType}/${id}`);
  const quarantined = [...grouped].flatMap(([key, entries]) =>
    entries
      .slice(0, 1)
      .map(({ entityType, id }): [string, QuarantinedRecord] => [
        key,
        { entityType, id, entries: entries.map(({ place }) => place) },
      ]),
  );
  return { places: new Set(rows.map(({ place }) => place)), quarantined: new Map(quarantined) };
}
