import { requireStreamScope } from '../../../shared/domain/access/stream-access.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type Row, runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import { createBinder } from '../../../shared/search/where/binder.ts';
import type { QueryContext } from '../context.ts';
import { readEvents } from '../history/read-events.ts';
import { type RecordQuery, readRow } from '../rows/require-readable.ts';
import { createEventSource, itemsOf, type SourceRecord } from './event-source.ts';
import { markPosts, readPinned } from './mark-posts.ts';
import { createMentionSource, readAllMentions, type StreamedRecord } from './mention-source.ts';
import { mergeSources, type StreamSource, sourceOf, takePage } from './merge-sources.ts';
import { createPostSource, noteTable, postChunk, postColumns, postRows } from './post-items.ts';
import type { Stream, StreamItem, StreamRequest } from './stream-item.ts';
import { contextFor, nameColumn } from './to-stream-items.ts';

/** Items of records with more versions are not counted. */
const MAX_COUNTED_VERSIONS = 1_000;
const MAX_COUNTED_MENTIONS = 1_000;

/** Reads the changes of one record and the posts under it, newest first (docs/reference/stream.md). */
export async function readRecordStream(
  search: QueryContext,
  query: RecordQuery,
  request: StreamRequest,
): Promise<Stream> {
  const { actor, model, view, id } = query;
  // A single page may require thousands of events.
  const context = { ...search, pool: search.searchPool.of(actor) };
  const row = await openStream(
    context,
    query,
    `r.version, ${nameColumn(model, view, 'r')} as name`,
  );
  const recordName = textOrNull(row['name']);
  const record = {
    model,
    id,
    version: Number(row['version']),
    context: { ...contextFor(context.directory, query), recordName },
  };
  const isWanted = (item: StreamItem) => !(request.skipOwn && item.createdById === actor.id);
  const changes = await changeItems(context, record, request);
  const streamed = { model, id, name: recordName, actor };
  const mentions = await mentionItems(context, streamed, request);
  const posts = await readPosts(context, streamed, request);
  const items = mergeSources([changes.source, mentions.source, posts.source]);
  const page = await takePage(items, request, isWanted);
  const counted = changes.list && mentions.list && [...changes.list, ...mentions.list];
  const [list, pinnedList] = await Promise.all([
    markPosts(context, actor, page.list),
    readPinned(context, streamed),
  ]);
  const isCounted = request.withTotal && counted !== undefined;
  const total = isCounted ? counted.filter(isWanted).length + posts.total : page.total;
  return { total, list, pinnedList };
}

interface SourceItems {
  readonly source: StreamSource;
  /** All items, if there are few. */
  readonly list: readonly StreamItem[] | undefined;
}

async function changeItems(
  context: QueryContext,
  record: SourceRecord,
  request: StreamRequest,
): Promise<SourceItems> {
  if (request.filter === 'posts') return { source: sourceOf([]), list: [] };
  const bound = Number.POSITIVE_INFINITY;
  const lazily = () => createEventSource(context, record, { request, bound });
  if (!request.withTotal || record.version > MAX_COUNTED_VERSIONS) {
    return { source: lazily(), list: undefined };
  }
  const events = await readEvents(context, record, {
    first: 1,
    last: record.version,
    from: 'newest',
  });
  const list = itemsOf(events, record, request);
  if (events.length === record.version) return { source: sourceOf(list), list };
  // Items are not counted if the events are too large to be read together.
  return { source: lazily(), list: undefined };
}

async function mentionItems(
  context: QueryContext,
  record: StreamedRecord,
  request: StreamRequest,
): Promise<SourceItems> {
  if (request.filter === 'posts') return { source: sourceOf([]), list: [] };
  const list = request.withTotal
    ? await readAllMentions(context, record, { ...request, limit: MAX_COUNTED_MENTIONS })
    : undefined;
  if (list !== undefined) return { source: sourceOf(list), list };
  return { source: createMentionSource(context, record, request), list };
}

/** Returns the posts, and their total if the request includes one. */
async function readPosts(
  { pool, directory }: QueryContext,
  { model, id, name, actor }: StreamedRecord,
  request: StreamRequest,
): Promise<{ readonly total: number; readonly source: StreamSource }> {
  if (request.filter === 'updates') return { total: 0, source: sourceOf([]) };
  const rowsBefore = (before: string | undefined) => {
    const binder = createBinder();
    const own = `n.parent_id = ${binder.bind(id)} and n.parent_type = ${binder.bind(model.name)}`;
    const wanted = postRows({ actor, request }, before, binder);
    return { text: `${noteTable} n where ${own} and ${wanted}`, binder };
  };
  const source = createPostSource(directory, request, async ({ before, limit }) => {
    const { text, binder } = rowsBefore(before);
    const named = `${binder.bind(name)}::text as parent_name`;
    const rows = `select ${postColumns}, ${named} from ${text} order by n.id desc limit ${limit}`;
    return runStatement(pool, { text: postChunk(rows) }, [...binder.values]);
  });
  if (!request.withTotal) return { total: 0, source };
  const { text, binder } = rowsBefore(undefined);
  const counting = { text: `select count(*)::float8 as total from ${text}` };
  const [counted] = await runStatement(pool, counting, [...binder.values]);
  return { total: Number(counted?.['total']), source };
}

/**
 * Returns `columns`, which is SQL over `r`, for a record whose stream the actor may see. Throws the same refusals as a
 * read of the record, and one with status 403 if the actor may read the record but not its stream.
 */
export async function openStream(
  context: QueryContext,
  query: RecordQuery,
  columns: string,
): Promise<Row> {
  const { actor, model, view } = query;
  requireStreamScope(actor, model);
  const isOpen = view.stream(model, 'r') ?? 'true';
  const row = await readRow(context, query, `${columns}, ${isOpen} as "$stream"`);
  if (row['$stream'] === true) return row;
  throw new Refusal('forbidden', 'access.denied', "No 'stream' access.");
}
