import { orUnavailable } from '../../../shared/db/outage-of.ts';
import type { Queryable } from '../../../shared/db/pool.ts';
import { fitPage } from '../../../shared/db/sql/fit-page.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { asKnown } from '../../../shared/events/later-version.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';

export interface HistoryRow {
  readonly event: LoggedEvent;
  /** The trace id of the request; null if the event has none, or if an earlier version stored it. */
  readonly requestId: string | null;
}

const columns = `h.event, encode(h.trace_id, 'hex') as "requestId"`;
const history = `${liveSchema}.record_history h`;

const ofRequest = statement(
  `select ${columns}, h.at_ms, h.record_id, h.version, h.entity_type from ${history}
   where h.trace_id = $1 order by h.at_ms, h.record_id, h.version, h.entity_type limit $2`,
  'at_ms, record_id, version, entity_type',
);

/** Returns the first events of a request. */
export function readEventsOfRequest(db: Queryable, traceId: string, limit: number) {
  return read(db, ofRequest, [Buffer.from(traceId, 'hex'), limit]);
}

const ofRecord = statement(
  `select ${columns}, h.version, h.entity_type from ${history}
   where h.record_id = $1 order by h.version desc, h.entity_type limit $2`,
  'version desc, entity_type',
);

/** Returns the newest events of the records with this id, which may have several types. */
export function readEventsOfRecord(db: Queryable, recordId: string, limit: number) {
  return read(db, ofRecord, [recordId, limit]);
}

/** The version of a record. */
export interface EventName {
  readonly entityType: string;
  readonly recordId: string;
  readonly version: number;
}

const named = statement(
  `select ${columns}, h.record_id, h.version, h.entity_type
   from unnest($1::text[], $2::text[], $3::int[]) as wanted (entity_type, record_id, version)
   join ${history} using (entity_type, record_id, version)`,
  'record_id, version, entity_type',
);

export function readNamedEvents(db: Queryable, names: readonly EventName[]) {
  return read(db, named, [
    names.map(({ entityType }) => entityType),
    names.map(({ recordId }) => recordId),
    names.map(({ version }) => version),
  ]);
}

/** Limits the bytes, because a few events may be large. */
function statement(rows: string, order: string): string {
  return fitPage({ rows, bytes: 'octet_length(event)', order });
}

interface Row {
  readonly event: Buffer;
  readonly requestId: string | null;
}

async function read(
  db: Queryable,
  text: string,
  values: unknown[],
): Promise<readonly HistoryRow[]> {
  const { rows } = await orUnavailable(db.query<Row>({ text, values }));
  return rows.map(({ event, requestId }) => ({ event: decode(event), requestId }));
}

function decode(bytes: Buffer): LoggedEvent {
  const entry = asKnown(() => decodeLogEntry(bytes));
  if (entry.kind !== 'event') throw new Error('record_history contains a fence');
  return entry.event;
}
