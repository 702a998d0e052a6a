import { fitPage, MAX_PAGE_BYTES } from '../../../shared/db/sql/fit-page.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { asKnown } from '../../../shared/events/later-version.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';

const rows = `select event, version from ${liveSchema}.record_history
  where record_id = $1 and entity_type = $2 and version between $3 and $4`;
/** A range of versions of a record, inclusive at both ends. `from` is the end at which reading starts. */
interface EventRange {
  readonly first: number;
  readonly last: number;
  readonly from: 'oldest' | 'newest';
  readonly maxBytes?: number;
}

/**
 * Returns as many of these versions' events as fit on a page. Starts at one end of the range, but returns the events
 * from oldest to newest. Returns at least one event, unless `first` is greater than `last`.
 */
export async function readEvents(
  { pool, prepare }: QueryContext,
  { model, id }: { readonly model: EntityModel; readonly id: string },
  { first, last, from, maxBytes = MAX_PAGE_BYTES }: EventRange,
): Promise<readonly RecordEvent[]> {
  if (first > last) return [];
  const page = {
    rows,
    bytes: 'octet_length(event)',
    order: from === 'oldest' ? 'version' : 'version desc',
    maxBytes,
  };
  const values = [id, model.name, first, last];
  const found = await runStatement(pool, prepare(fitPage(page)), values);
  const isComplete = found.every(({ version }, index) =>
    from === 'oldest' ? version === first + index : version === last - index,
  );
  // Versions have no gaps, but the read model may have been replaced by an older one that lacks the last version.
  if (found.length === 0 || !isComplete) {
    throw new Unavailable('The read model is being prepared.');
  }
  return (from === 'oldest' ? found : found.toReversed()).map(toEvent);
}

/** Decodes the event in a history row. */
export function toEvent({ event: bytes }: Row): RecordEvent {
  const entry = asKnown(() => decodeLogEntry(Buffer.isBuffer(bytes) ? bytes : null));
  if (entry.kind === 'event') return entry.event;
  throw new Error('The history contains a fence, which is not an event of a record.');
}
