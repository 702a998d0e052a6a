/**
 * Reads events of records backwards in time:
 *
 *   window of time ─▶ rows in it, newest first ─▶ decode and filter ─▶ page full, beginning reached, or time is up
 *         ▲                                                                             │ no
 *         └────────────────── earlier and, if it was fast, longer window ◀──────────────┘
 *
 * The history has only a block range index on the time, which finds a window but does not sort. The events of a record
 * are found by the primary key instead.
 */

import { type EventFilter, isWanted } from '../events/event-filter.ts';
import { asKnown } from '../events/later-version.ts';
import type { LoggedEvent } from '../events/log-entry.ts';
import { decodeLogEntry } from '../events/log-entry-codec.ts';
import { orUnavailable } from './outage-of.ts';
import type { Queryable } from './pool.ts';
import { fitPage, isFull, MAX_PAGE_BYTES } from './sql/fit-page.ts';
import { liveSchema } from './tables/read-model-names.ts';

/** The place of an event in the order of the pages. */
export interface EventPlace {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly recordId: string;
  readonly version: number;
  readonly entityType: string;
}

export interface PastEventsQuery {
  readonly filter: EventFilter;
  /** The entity types that may be returned. */
  readonly entityTypes: readonly string[];
  /** Returns false for an event that is left out. Called once per event that passes the filter. */
  readonly accepts?: (event: LoggedEvent) => boolean;
  /** Milliseconds since 1970; inclusive. */
  readonly from: number;
  /** Events before this place. */
  readonly before: EventPlace;
  readonly maxSize: number;
}

/** An event, and the trace id of its request; null without one. */
interface PastEvent {
  readonly event: LoggedEvent;
  readonly requestId: string | null;
}

interface PastEvents {
  /** Newest first. */
  readonly events: readonly PastEvent[];
  /** Where the next page begins; undefined on the last page. */
  readonly next: EventPlace | undefined;
}

const FIRST_WINDOW_MS = 60_000;
const LARGEST_WINDOW_MS = 3.2e12;
const ROWS_AT_ONCE = 200;
/** A page that is not full after this time is returned nevertheless. */
const SEARCH_MS = 2_000;
const FAST_MS = 100;
const SLOW_MS = 500;

/** Returns a place before all events at this time. */
export function placeBefore(atMs: number): EventPlace {
  return { atMs, recordId: '', version: 0, entityType: '' };
}

export async function readPastEvents(db: Queryable, query: PastEventsQuery): Promise<PastEvents> {
  const { from } = query;
  const page: Page = { events: [], bytes: 0 };
  const { events } = page;
  const begin = performance.now();
  let place = query.before;
  let windowMs = query.filter.id === undefined ? FIRST_WINDOW_MS : LARGEST_WINDOW_MS;
  while (place.atMs >= from) {
    const began = performance.now();
    const low = Math.max(from, place.atMs - windowMs);
    const rows = await readWindow(db, query, { low, before: place });
    const last = fillPage(page, rows, query);
    if (last !== undefined && !isWindowDone(rows, last)) place = placeOf(last);
    else {
      if (low === from) break;
      place = placeBefore(low);
      windowMs = nextWindow(windowMs, performance.now() - began);
    }
    if (isPageFull(page, query) || performance.now() - begin > SEARCH_MS) {
      return { events, next: place };
    }
  }
  return { events, next: undefined };
}

/** True if no row of the window remains after the last one that was examined. */
function isWindowDone(rows: readonly Row[], last: Row | undefined): boolean {
  return rows.length < ROWS_AT_ONCE && !isFull(rows) && last === rows.at(-1);
}

interface Page {
  readonly events: PastEvent[];
  bytes: number;
}

function isPageFull({ events, bytes }: Page, { maxSize }: PastEventsQuery): boolean {
  return events.length === maxSize || bytes >= MAX_PAGE_BYTES;
}

/** Adds events until the page is full. Returns the last row that was examined. */
function fillPage(page: Page, rows: readonly Row[], query: PastEventsQuery): Row | undefined {
  for (const row of rows) {
    const event = decode(row.event);
    if (!isWanted(query.filter, event) || query.accepts?.(event) === false) continue;
    page.events.push({ event, requestId: row.requestId });
    page.bytes += row.event.length;
    if (isPageFull(page, query)) return row;
  }
  return rows.at(-1);
}

/** The number of events in a window is unknown, so the time that it took determines the next one. */
function nextWindow(windowMs: number, tookMs: number): number {
  if (tookMs < FAST_MS) return Math.min(windowMs * 4, LARGEST_WINDOW_MS);
  return tookMs < SLOW_MS ? windowMs : Math.max(windowMs / 4, FIRST_WINDOW_MS);
}

interface Row extends Readonly<Record<string, unknown>> {
  readonly entityType: string;
  readonly recordId: string;
  readonly version: number;
  readonly atMs: number;
  readonly event: Buffer;
  readonly requestId: string | null;
}

const order = 'at_ms desc, record_id desc, version desc, entity_type desc';

const text = `select "entityType", "recordId", version, at_ms::float8 as "atMs", event,
  encode(trace_id, 'hex') as "requestId", "$bytes" from (${fitPage({
    rows: `select entity_type as "entityType", record_id as "recordId", entity_type, record_id, version, at_ms, event, trace_id
    from ${liveSchema}.record_history
    where at_ms >= $1 and at_ms <= $2 and (at_ms, record_id, version, entity_type) < ($2, $3, $4, $5)
      and entity_type = any($6) and ($7::text is null or record_id = $7)
      and ($8::bytea is null or position($8 in event) > 0)
      and ($9::boolean is null or (version = 1) = $9)
    order by ${order} limit ${ROWS_AT_ONCE}`,
    bytes: 'octet_length(event)',
    order,
  })}) found`;

async function readWindow(
  db: Queryable,
  { filter, entityTypes }: PastEventsQuery,
  { low, before }: { readonly low: number; readonly before: EventPlace },
): Promise<readonly Row[]> {
  const { entityType, id, userId, type } = filter;
  const values = [
    low,
    before.atMs,
    before.recordId,
    before.version,
    before.entityType,
    entityTypes.filter((one) => entityType === undefined || one === entityType),
    id ?? null,
    // Encoded events contain ids unchanged. Other events with the same text are left out after decoding.
    userId === undefined ? null : Buffer.from(userId),
    type === undefined ? null : type === 'created',
  ];
  const { rows } = await orUnavailable(db.query<Row>({ text, values }));
  return rows;
}

function placeOf({ atMs, recordId, version, entityType }: EventPlace): EventPlace {
  return { atMs, recordId, version, entityType };
}

function decode(bytes: Buffer): LoggedEvent {
  const entry = asKnown(() => decodeLogEntry(bytes));
  if (entry.kind !== 'event') throw new Error('record_history contains a fence');
  return entry.event;
}
