import { showSecrets } from '../../../shared/domain/access/opened-for.ts';
import { omitNulls } from '../../../shared/domain/directory/complete-bodies.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { emptyValue, toRecordBody } from '../../../shared/domain/record/to-record-body.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import { type RecordQuery, readVersion } from '../rows/require-readable.ts';
import { isRestorableFromEvents } from './past-values.ts';
import { readEvents } from './read-events.ts';

/** The maximum number of events that are read together. Fewer events are read if they are large, see `readEvents`. */
const PAGE_SIZE = 100;

/**
 * Returns a past state of a record in the form that single reads return, with the current definitions and the names
 * that links had at that time. `asOf` is in milliseconds since 1970. Throws the same refusals as a normal read, and
 * another one if the record did not exist at that time.
 */
export async function readPastRecord(context: QueryContext, query: RecordQuery, asOf: number) {
  const latest = await readVersion(context, query);
  const state = await readPastState(context, query, { latest, asOf });
  return { version: state.version, record: toPastBody(context, query, state) };
}

/** Returns the state of a record at a time. Throws a refusal if the record did not exist then. */
export async function readPastState(
  context: QueryContext,
  query: RecordQuery,
  past: { readonly latest: number; readonly asOf: number },
): Promise<RecordState> {
  const state = await foldUntil(context, query, past);
  if (state !== undefined && !state.deleted) return state;
  const message = `Record ${query.id} did not exist at that time.`;
  throw new Refusal('not_found', 'record.not_found', message);
}

/**
 * Stops before the first event after `asOf`, even if a later version has an earlier time, because the clocks of writers
 * may differ, and a version is never skipped.
 */
async function foldUntil(
  context: QueryContext,
  query: RecordQuery,
  { latest, asOf }: { readonly latest: number; readonly asOf: number },
): Promise<RecordState | undefined> {
  let state: RecordState | undefined;
  // A record with many or large versions competes with searches, not with single reads.
  const shared = { ...context, pool: context.searchPool.of(query.actor) };
  let first = 1;
  while (first <= latest) {
    const last = Math.min(first + PAGE_SIZE - 1, latest);
    const events = await readEvents(shared, query, { first, last, from: 'oldest' });
    for (const event of events) {
      if (event.occurredAt > asOf) return state;
      state = evolve(state, event);
    }
    first += events.length;
  }
  return state;
}

/** Returns a past state of a record in the form of a single read. */
export function toPastBody(
  { directory, openSecret }: QueryContext,
  { model, view }: RecordQuery,
  state: RecordState,
): Row {
  const values = { ...state.values };
  for (const attribute of model.attributes) {
    if (!isRestorableFromEvents(attribute, directory.entity)) delete values[attribute.name];
  }
  const body: Row = toRecordBody(model, { ...state, values }, namesIn(directory));
  for (const attribute of model.attributes) {
    if (!view.isVisible(attribute)) delete body[attribute.name];
    else if (!view.isVisibleInHistory(attribute)) body[attribute.name] = emptyValue(attribute);
  }
  const { opened } = view;
  showSecrets(body, { model, opened, values: state.values }, openSecret);
  omitNulls(model, body);
  return body;
}
