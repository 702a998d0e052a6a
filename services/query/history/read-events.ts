import { fitPage, MAX_PAGE_BYTES } from '../../../shared/db/sql/fit-page.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { asKnown } from '../../../shared/events/later-version.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import type { RecordQuery } from '../rows/require-readable.ts';

/** A range of versions of a record, inclusive at both ends. */
export interface Versions {
  readonly first: number;
  readonly last: number;
}

/** The end of a range of versions where reading starts. */
type EndOfRange = 'oldest' | 'newest';

const rows = `select event, version from ${liveSchema}.record_history
  where record_id = $1 and entity_type = $2 and version between $3 and $4`;
const orders: Readonly<Record<EndOfRange, string>> = { oldest: 'version', newest: 'version desc' };

interface EventRange extends Versions {
  readonly from: EndOfRange;
  readonly maxBytes?: number;
}

/**
 * Returns as many events of these versions as fit a page, starting at one end of the range, but sorted from oldest to newest.
 * Returns at least one event; empty only if `first` is greater than `last`.
 */
export async function readEvents(
  { pool, prepare }: SearchDeps,
  { model, id }: Pick<RecordQuery, 'model' | 'id'>,
  { first, last, from, maxBytes = MAX_PAGE_BYTES }: EventRange,
): Promise<readonly RecordEvent[]> {
  if (first > last) return [];
  const page = { rows, bytes: 'octet_length(event)', order: orders[from], maxBytes };
  const values = [id, model.name, first, last];
  const found = await runStatement(pool, prepare(fitPage(page)), values);
  const isComplete = found.every(({ version }, index) =>
    from === 'oldest' ? version === first + index : version === last - index,
  );
  // Versions have no gaps, but an older read model, which lacks the last version, may have replaced the one that had it.
  if (found.length === 0 || !isComplete) {
    throw new Unavailable('The read model is being prepared.');
  }
  return (from === 'oldest' ? found : found.toReversed()).map(toEvent);
}

/** Decodes the event in a row of the history. */
export function toEvent({ event: bytes }: Row): RecordEvent {
  const entry = asKnown(() => decodeLogEntry(Buffer.isBuffer(bytes) ? bytes : null));
  if (entry.kind === 'event') return entry.event;
  throw new Error('The history contains a fence, which is not an event of a record.');
}
