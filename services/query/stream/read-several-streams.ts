import { allOf } from '../../../shared/db/sql/conditions.ts';
import { fitPage } from '../../../shared/db/sql/fit-page.ts';
import { parentName } from '../../../shared/db/sql/parent-name.ts';
import { liveSchema, liveTable, quoteName } from '../../../shared/db/tables/read-model-names.ts';
import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import { attendeesOf } from '../../../shared/domain/entity/model/attendees-of.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { momentOf, numberAt } from '../../../shared/domain/stream/stream-number.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import {
  type Reader,
  viewerExpressions,
  viewerTable,
  viewFor,
} from '../../../shared/search/record-view.ts';
import { type Row, runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import { type Binder, createBinder } from '../../../shared/search/where/binder.ts';
import type { QueryContext } from '../context.ts';
import { toEvent } from '../history/read-events.ts';
import { quoteText } from '../rows/quote-text.ts';
import { createEventSource, type EventSourceOptions } from './event-source.ts';
import { markPosts } from './mark-posts.ts';
import { mergeSources, type StreamSource, sourceOf, takePage } from './merge-sources.ts';
import {
  createPostSource,
  followedAt,
  noteTable,
  type PostChunk,
  postChunk,
  postColumns,
  postRows,
} from './post-items.ts';
import type { Stream, StreamItem, StreamRequest } from './stream-item.ts';
import { contextFor, nameColumn } from './to-stream-items.ts';

/** Selects the records whose streams are merged. */
export interface MergedStreams {
  /**
   * Returns SQL for the live records of a type to include, as `t`, among the records whose stream the actor may see;
   * see
   * `viewerOf`.
   */
  readonly rowsOf: (reader: Reader, binder: Binder) => string;
  /** Reads a chunk of the posts, see `createPostSource`. `context.pool` is the search pool. */
  readonly readPosts: (
    context: QueryContext,
    request: StreamsRequest,
    chunk: PostChunk,
  ) => Promise<readonly Row[]>;
  /** True if there may be posts without a parent, which do not depend on the records that the actor may see. */
  readonly withoutRecords?: boolean;
}

/** The request, the actor, and the entity types whose streams the actor may see. */
export interface StreamsRequest {
  readonly actor: Actor;
  readonly request: StreamRequest;
  readonly opened: readonly Reader[];
}

/** The maximum number of included records. The most recently changed ones are included. */
const MAX_RECORDS = 1_000;
/** The number of records whose events are read together, and the number of events for each. */
const RECORDS_AT_ONCE = 50;
const EVENTS_AT_ONCE = 10;

/**
 * Merges the streams of many records, newest first. Each record is a separate source, which is read only if its last
 * change is newer than the items of the others. The cost of a page therefore depends on its items, not on the number of
 * records.
 */
export async function readSeveralStreams(
  search: QueryContext,
  reach: MergedStreams,
  { actor, request }: Omit<StreamsRequest, 'opened'>,
): Promise<Stream> {
  const context = { ...search, pool: search.searchPool.of(actor) };
  const isShown = (item: StreamItem) => !(request.skipOwn && item.createdById === actor.id);
  const sources = await openSources(context, reach, { actor, request });
  const { total, list } = await takePage(mergeSources(sources), request, isShown);
  return { total, list: await markPosts(context, actor, list), pinnedList: [] };
}

/** Opens the streams of many records. `context.pool` is the search pool. */
export async function openSources(
  context: QueryContext,
  reach: MergedStreams,
  { actor, request }: Omit<StreamsRequest, 'opened'>,
): Promise<readonly StreamSource[]> {
  const { directory } = context;
  const opened = directory.entities().flatMap((model): readonly Reader[] => {
    const isOpen = (['read', 'stream'] as const).every(
      (right) => accessLevel(actor, model.name, right) !== 'no',
    );
    if (model.definition.hasStream !== true || !isOpen) return [];
    return [{ actor, model, view: viewFor(actor, model, directory.entity) }];
  });
  const streams = { actor, request, opened };
  const events = opened.length === 0 ? [] : await eventSources(context, streams, reach);
  const posts =
    (opened.length === 0 && reach.withoutRecords !== true) || request.filter === 'updates'
      ? sourceOf([])
      : createPostSource(directory, request, (chunk) => reach.readPosts(context, streams, chunk));
  return [...events, posts];
}

async function eventSources(
  context: QueryContext,
  { actor, request, opened }: StreamsRequest,
  { rowsOf }: MergedStreams,
): Promise<readonly StreamSource[]> {
  if (request.filter === 'posts') return [];
  const binder = createBinder([actor.id, actor.teamIds]);
  const changed = changedBetween(request, binder);
  const isNotified = request.sinceFollowed === true;
  const last = `order by modified_at desc, id desc limit ${MAX_RECORDS}`;
  const selects = opened.map((reader) => {
    const { model, view } = reader;
    return (
      `(select ${quoteText(model.name)} as entity_type, t.id, t.version, t.modified_at, ${nameColumn(model, view, 't')} as name` +
      (isNotified ? followingColumns(reader) : '') +
      ` from ${rowsOf(reader, binder)}${changed}${isNotified ? notOnlyCreated : ''} ${last})`
    );
  });
  const text = viewerOf(`select * from (${selects.join(' union all ')}) found ${last}`);
  const rows = await runStatement(context.pool, { text }, [...binder.values]);
  const newest = createNewestEvents(context, rows);
  return rows.flatMap((row) => {
    const of = opened.find(({ model }) => model.name === row['entity_type']);
    if (of === undefined) return [];
    const record = {
      model: of.model,
      id: String(row['id']),
      version: Number(row['version']),
      context: { ...contextFor(context.directory, of), recordName: textOrNull(row['name']) },
    };
    const modifiedAt = toMs(row['modified_at']);
    // The time is truncated to whole seconds, so the change may have happened at any point in that second.
    const bound = Math.min(numberAt(modifiedAt + 1_000) - 1, request.below);
    const start = isNotified ? startOf(row, of, request) : { request };
    return [createEventSource(context, record, { ...start, bound, newest: () => newest(row) })];
  });
}

/** Excludes records that the viewer created and that did not change since. Their only item is the viewer's own. */
const notOnlyCreated = ` and not (t.version = 1 and t.created_by_id = ${viewerExpressions.id})`;

function followingColumns({ model }: Reader): string {
  const record = { id: 't.id', type: quoteText(model.name) };
  return `, ${followedAt(record, viewerExpressions.id)} as followed_at, t.created_by_id`;
}

/**
 * Returns where the items of a followed record begin: when the user followed it or, for other users than the creator,
 * with the event that assigned it to the user or made the user attend it.
 */
function startOf(
  { followed_at: followed, created_by_id: createdById }: Row,
  { actor, model }: Reader,
  request: StreamRequest,
): Pick<EventSourceOptions, 'isFirst' | 'request'> {
  if (followed !== null) {
    return { request: { ...request, from: Math.max(request.from, numberAt(toMs(followed))) } };
  }
  if (createdById === actor.id) return { request };
  const people = ['assignedUserId', attendeesOf(model).ids];
  const has = (value: AttributeValue | undefined) => [value].flat().includes(actor.id);
  return {
    request,
    isFirst: ({ changes }) =>
      changes.some(
        ({ attribute, before, after }) => people.includes(attribute) && has(after) && !has(before),
      ),
  };
}

/** Converts a timestamp in UTC to milliseconds since 1970. */
function toMs(timestamp: unknown): number {
  return Date.parse(`${String(timestamp).replace(' ', 'T')}Z`);
}

/** Returns a condition over `t` that excludes records without items in the requested range. */
function changedBetween({ from, below }: StreamRequest, binder: Binder): string {
  const at = (number: number) => `${binder.bind(formatDateTime(momentOf(number)))}::timestamp`;
  return [
    ...(from === 0 ? [] : [` and t.modified_at >= ${at(from)}`]),
    ...(below === Number.POSITIVE_INFINITY ? [] : [` and t.created_at <= ${at(below)}`]),
  ].join('');
}

/** Returns the newest events of several records, oldest first; empty if they did not fit. */
function createNewestEvents(
  context: QueryContext,
  rows: readonly Row[],
): (row: Row) => Promise<readonly RecordEvent[]> {
  const batches = new Map<number, Promise<ReadonlyMap<string, readonly RecordEvent[]>>>();
  return async (row) => {
    const batch = Math.floor(rows.indexOf(row) / RECORDS_AT_ONCE);
    const first = batch * RECORDS_AT_ONCE;
    const reading =
      batches.get(batch) ?? readNewest(context, rows.slice(first, first + RECORDS_AT_ONCE));
    batches.set(batch, reading);
    const events = (await reading).get(`${row['entity_type']}/${row['id']}`) ?? [];
    const isComplete = events.length === Math.min(Number(row['version']), EVENTS_AT_ONCE);
    return isComplete ? events.toReversed() : [];
  };
}

/**
 * Selects events newest first, up to the version in the record's row, so that events that arrive in the meantime do not
 * cause a gap. Events that do not fit on a page are missing.
 */
const newestText = fitPage({
  rows: `select a.place, h.version, h.event
    from unnest($1::text[], $2::text[], $3::int[]) with ordinality a(entity_type, id, version, place)
    join ${quoteName(liveSchema)}.record_history h on h.record_id = a.id and h.entity_type = a.entity_type
      and h.version between a.version - ${EVENTS_AT_ONCE - 1} and a.version`,
  bytes: 'octet_length(event)',
  order: 'place, version desc',
});

async function readNewest({ pool, prepare }: QueryContext, rows: readonly Row[]) {
  const column = (name: string) => rows.map((row) => row[name]);
  const values = [column('entity_type'), column('id'), column('version')];
  const found = await runStatement(pool, prepare(newestText), values);
  return Map.groupBy(found.map(toEvent), (event) => `${event.entityType}/${event.recordId}`);
}

/**
 * Returns the start of a statement over the rows of several types. The parameters of the statement are the user's id
 * and the ids of the user's teams.
 */
export function viewerOf(text: string): string {
  return `with ${viewerTable} ${text}`;
}

/** Reads the stream of all records whose stream the actor may see. Requires the scope `GlobalStream`. */
export async function readGlobalStream(
  context: QueryContext,
  actor: Actor,
  request: StreamRequest,
): Promise<Stream> {
  return readSeveralStreams(context, { rowsOf: openRows, readPosts }, { actor, request });
}

function openRows({ model, view }: Reader): string {
  return `${liveTable(model.name)} t where ${allOf('not t.deleted', view.stream(model, 't'))}`;
}

async function readPosts(
  { pool, directory }: QueryContext,
  { actor, request }: StreamsRequest,
  { before, limit }: PostChunk,
): Promise<readonly Row[]> {
  const findModel = directory.entity;
  const model = findModel('Note');
  const parent = model?.attribute.get('parentName')?.parent;
  if (model === undefined || parent === undefined)
    throw new Error('The entity type Note is not defined, or has no parent.');
  const view = viewFor(actor, model, findModel);
  const binder = createBinder([actor.id, actor.teamIds]);
  const wanted = allOf(
    'n.parent_id is not null',
    postRows({ actor, request }, before, binder),
    view.rows(model, 'n'),
  );
  const name = parentName(parent, 'n', { findModel, readable: view.named });
  const text =
    `select ${postColumns}, ${name} as parent_name from ${noteTable} n` +
    ` where ${wanted} order by n.id desc limit ${limit}`;
  return runStatement(pool, { text: viewerOf(postChunk(text)) }, [...binder.values]);
}
