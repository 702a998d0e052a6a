import { liveSchema } from '../../../../shared/db/tables/read-model-names.ts';
import { Unavailable } from '../../../../shared/domain/errors.ts';
import type { RecordEvent } from '../../../../shared/domain/record/record-event.ts';
import { asKnown } from '../../../../shared/events/later-version.ts';
import { decodeLogEntry } from '../../../../shared/events/log-entry-codec.ts';
import { type Row, runStatement } from '../../../../shared/search/run-statement.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import type { RecordQuery } from '../rows/require-readable.ts';

/** A range of versions of a record, both ends included. */
export interface Versions {
  readonly first: number;
  readonly last: number;
}

const text = `select event from ${liveSchema}.record_history
  where record_id = $1 and entity_type = $2 and version between $3 and $4 order by version`;

/** The events of these versions of a record, oldest first; empty if `first` is above `last`. */
export async function readEvents(
  { pool, prepare }: SearchDeps,
  { model, id }: Pick<RecordQuery, 'model' | 'id'>,
  { first, last }: Versions,
): Promise<readonly RecordEvent[]> {
  if (first > last) return [];
  const rows = await runStatement(pool, prepare(text), [id, model.name, first, last]);
  // Versions have no gaps, but an older read model may have replaced the one that had the last version.
  if (rows.length !== last - first + 1) {
    throw new Unavailable('The read model is being prepared.');
  }
  return rows.map(toEvent);
}

/** The event in a row of the history. */
export function toEvent({ event: bytes }: Row): RecordEvent {
  const entry = asKnown(() => decodeLogEntry(Buffer.isBuffer(bytes) ? bytes : null));
  if (entry.kind === 'event') return entry.event;
  throw new Error('a history holds a fence');
}
