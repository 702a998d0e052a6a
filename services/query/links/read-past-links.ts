import { allOf } from '../../../shared/db/sql/conditions.ts';
import { fitPage } from '../../../shared/db/sql/fit-page.ts';
import { liveSchema, liveTable } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { EntityLink } from '../../../shared/domain/entity/model/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import { idOrIdsIn } from '../../../shared/domain/record/ids-in.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { areLinksMentioned } from '../../../shared/domain/stream/mentions.ts';
import { numberAt } from '../../../shared/domain/stream/stream-number.ts';
import { ownParameter, type RecordView, withViewer } from '../../../shared/search/record-view.ts';
import { runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import { toEvent } from '../history/read-events.ts';
import { readPastState, toPastBody } from '../history/read-past-record.ts';
import { type Page, pageByName, type RecordList } from '../rows/page.ts';
import type { RecordQuery } from '../rows/require-readable.ts';

/** Maximum number of records that were linked at some time before. Each of them has to be read from its history. */
const MAX_LINKED = 1_000;
/** Maximum size of the events that one request reads. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;
/** Small enough that other requests are served between two chunks. */
const CHUNK = { maxBytes: 256 * 1024, maxRows: 500 };

/** A link of a record at a time. */
interface PastLink {
  readonly holder: RecordQuery;
  /** The current version of the record. */
  readonly version: number;
  readonly link: EntityLink;
  /** The entity type of the linked records, and the actor's view of them. */
  readonly model: EntityModel;
  readonly view: RecordView;
  /** In milliseconds since 1970. */
  readonly asOf: number;
  readonly page: Page;
}

/**
 * Returns a page of the records that were linked with a record at a time, in their state of that time, sorted by name.
 * Returns only records that the actor may read now. The caller has checked that the actor may read the record and the
 * link.
 */
export async function readPastLinks(context: QueryContext, past: PastLink): Promise<RecordList> {
  const { holder, model, view, asOf, page } = past;
  const state = await readPastState(context, holder, { latest: past.version, asOf });
  const ids = await readReadable(context, past, await findCandidates(context, past, state));
  const states = await readStates(context, past, ids);
  const linked = states.filter((one) => !one.deleted && isLinked(past, one));
  const nameOf = isNameOpen(past)
    ? ({ values }: RecordState) => textOrNull(values['name'])
    : () => null;
  const { total, list } = pageByName(
    linked.map((one) => ({ id: one.id, name: nameOf(one), state: one })),
    page,
  );
  const reader = { actor: holder.actor, model, view };
  return {
    total,
    list: list.map((one) => toPastBody(context, { ...reader, id: one.id }, one.state)),
  };
}

function isNameOpen({ model, view }: PastLink): boolean {
  const name = model.attribute.get('name');
  return name !== undefined && view.isVisible(name);
}

/** Returns the ids that a link to one or to many records contains. */
function linkedIds({ values }: RecordState, field: string): readonly string[] {
  return idOrIdsIn(values[`${field}Ids`] ?? values[`${field}Id`]);
}

/** Returns the field of the linked records that stores the link; undefined if the record itself stores it. */
function fieldThere({ heldBy, type, field, foreign }: EntityLink): string | undefined {
  if (heldBy === 'other') return field;
  return type === 'hasOne' ? foreign : undefined;
}

function isLinked({ holder, link }: PastLink, linked: RecordState): boolean {
  const field = fieldThere(link);
  if (field === undefined) return true;
  const type = linked.values[`${field}Type`];
  const isOfType = link.type !== 'hasChildren' || type === holder.model.name;
  return isOfType && linkedIds(linked, field).includes(holder.id);
}

/** Returns the ids of all records that may have been linked with the record, which was in this state, at the time. */
async function findCandidates(
  { searchPool }: QueryContext,
  { holder, link, model, asOf }: PastLink,
  state: RecordState,
): Promise<readonly string[]> {
  const field = fieldThere(link);
  if (field === undefined) return requireFew(linkedIds(state, link.field));
  const attribute = [`${field}Ids`, `${field}Id`].find((name) => model.attribute.has(name));
  if (attribute === undefined || !areLinksMentioned(model.definition, attribute)) {
    const message = "Parameter 'asOf' is not supported for this link.";
    throw new Refusal('invalid', 'parameter.unsupported', message);
  }
  const pool = searchPool.of(holder.actor);
  const values = [holder.id, model.name, numberAt(asOf + 1), MAX_LINKED + 1];
  const rows = await runStatement(pool, { text: mentioning }, values);
  return requireFew(rows.map((row) => String(row['by_id'])));
}

const mentioning = `select distinct by_id from ${liveSchema}.stream_mentions
  where record_id = $1 and entity_type = $2 and number < $3 limit $4`;

function requireFew(ids: readonly string[]): readonly string[] {
  if (ids.length > MAX_LINKED) throw tooMany();
  return ids;
}

function tooMany(): Refusal {
  const message = `The history of the linked records is too large: at most ${MAX_LINKED} records can be read as of a time.`;
  return new Refusal('invalid', 'link.too_many', message);
}

/** Returns the ids of the records that the actor may read now. Administrators may also read deleted records. */
async function readReadable(
  { searchPool, prepare }: QueryContext,
  { holder, model, view }: PastLink,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const text =
    `select r.id from ${liveTable(model.name)} r` +
    ` where ${allOf(
      `r.id = any(${ownParameter(view)})`,
      view.withDeleted ? undefined : 'not r.deleted',
      view.rows(model, 'r'),
      view.listed('r'),
    )}`;
  const pool = searchPool.of(holder.actor);
  const rows = await runStatement(pool, prepare(withViewer(view, text)), [...view.viewer, ids]);
  return rows.map((row) => String(row['id']));
}

const historyChunk = fitPage({
  rows: `select record_id, version, event from ${liveSchema}.record_history
    where record_id = any($1) and entity_type = $2 and (at_ms is null or at_ms <= $3)
      and (record_id, version) > ($4, $5)
    order by record_id, version limit ${CHUNK.maxRows}`,
  bytes: 'octet_length(event)',
  order: 'record_id, version',
  maxBytes: CHUNK.maxBytes,
});

/** Returns the states at the time of those records that existed then, including deleted ones. */
async function readStates(
  { searchPool, prepare }: QueryContext,
  { holder, model, asOf }: PastLink,
  ids: readonly string[],
): Promise<readonly RecordState[]> {
  const states = new Map<string, RecordState>();
  if (ids.length === 0) return [];
  const pool = searchPool.of(holder.actor);
  let [id, version, bytes] = ['', 0, 0];
  for (;;) {
    const values = [ids, model.name, asOf, id, version];
    const rows = await runStatement(pool, prepare(historyChunk), values);
    for (const event of rows.map(toEvent)) foldInto(states, event, asOf);
    const last = rows.at(-1);
    if (last === undefined) return [...states.values()];
    const size = Number(last['$bytes']);
    if (rows.length < CHUNK.maxRows && size < CHUNK.maxBytes) return [...states.values()];
    bytes += size;
    if (bytes > MAX_EVENT_BYTES) throw tooMany();
    [id, version] = [String(last['record_id']), Number(last['version'])];
  }
}

/**
 * Applies an event, unless it or an earlier version of its record is later than the time: the clocks of writers may
 * differ, and a version is never skipped.
 */
function foldInto(states: Map<string, RecordState>, event: RecordEvent, asOf: number): void {
  const state = states.get(event.recordId);
  const isNext = event.version === (state?.version ?? 0) + 1;
  if (isNext && event.occurredAt <= asOf) states.set(event.recordId, evolve(state, event));
}
