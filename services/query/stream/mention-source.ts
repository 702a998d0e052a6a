import { allOf } from '../../../shared/db/sql/conditions.ts';
import { fitPage, isFull } from '../../../shared/db/sql/fit-page.ts';
import { liveSchema, liveTable, quoteName } from '../../../shared/db/tables/read-model-names.ts';
import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import { ownParameter, viewFor, withViewer } from '../../../shared/search/record-view.ts';
import { type Row, runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import { toEvent } from '../history/read-events.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { contextFor, nameColumn } from './item-context.ts';
import { type StreamSource, sourceOfChunks } from './merge-sources.ts';
import type { StreamItem, StreamRequest } from './stream-item.ts';
import { type MentionContext, type Mentioned, toMentionItem } from './to-mention-item.ts';

/** The record of the stream, and the actor who reads the stream. */
export interface StreamedRecord extends Mentioned {
  readonly actor: Actor;
}

type Part = Pick<StreamRequest, 'from' | 'below'>;

const FIRST_CHUNK = 50;
const LARGEST_CHUNK = 1_000;
/** Limit of mentions read for one page. Bounds the work if the reader may see hardly any of the linked records. */
const MAX_LOOKED_AT = 20_000;

const mentionsText = fitPage({
  rows: `select m.number::float8 as number, m.by_id, m.entity_type, m.version, h.event
    from ${quoteName(liveSchema)}.stream_mentions m
    join ${quoteName(liveSchema)}.record_history h
      on h.record_id = m.by_id and h.version = m.version and h.entity_type = m.entity_type
    where m.record_id = $1 and m.number >= $2 and (m.number, m.by_id) < ($3, $4)
    order by m.number desc, m.by_id desc, m.entity_type desc, m.version desc limit $5`,
  bytes: 'octet_length(event)',
  order: 'number desc, by_id desc, entity_type desc, version desc',
});

const HIGHEST = Number.MAX_SAFE_INTEGER;

/** Creates a source of items for other records' events that link this record. Reads chunks on demand. */
export function createMentionSource(
  deps: SearchDeps,
  record: StreamedRecord,
  request: Part,
): StreamSource {
  let looked = 0;
  let limit = FIRST_CHUNK;
  let isEnd = false;
  let [number, id] = [Math.min(request.below, HIGHEST), ''];

  return sourceOfChunks(request.below, async () => {
    if (isEnd) return undefined;
    const rows = await readMentions(deps, record, { from: request.from, number, id, limit });
    const last = rows.at(-1);
    looked += rows.length;
    const isLast = last === undefined || (rows.length < limit && !isFull(rows));
    isEnd = isLast || looked >= MAX_LOOKED_AT;
    limit = Math.min(limit * 2, LARGEST_CHUNK);
    [number, id] = [Number(last?.['number']), String(last?.['by_id'])];
    return toItems(deps, record, rows);
  });
}

/** Returns all items, newest first; undefined if there are more than `limit`, or more than fit a page. */
export async function readAllMentions(
  deps: SearchDeps,
  record: StreamedRecord,
  { from, below, limit }: Part & { readonly limit: number },
): Promise<readonly StreamItem[] | undefined> {
  const number = Math.min(below, HIGHEST);
  const rows = await readMentions(deps, record, { from, number, id: '', limit: limit + 1 });
  return rows.length > limit || isFull(rows) ? undefined : toItems(deps, record, rows);
}

/** Selects mentions with a number lower than `number`, or with that number and a lower id. */
interface MentionChunk {
  readonly from: number;
  readonly number: number;
  readonly id: string;
  readonly limit: number;
}

async function readMentions(
  { pool, prepare }: SearchDeps,
  { id: recordId }: StreamedRecord,
  { from, number, id, limit }: MentionChunk,
): Promise<readonly Row[]> {
  const values = [recordId, Math.max(Math.ceil(from), 0), number, id, limit];
  return runStatement(pool, prepare(mentionsText), values);
}

async function toItems(
  deps: SearchDeps,
  record: StreamedRecord,
  rows: readonly Row[],
): Promise<readonly StreamItem[]> {
  const contexts = new Map<string, MentionContext>();
  for (const [entityType, ofType] of Map.groupBy(rows, (row) => String(row['entity_type']))) {
    const context = await readContext(deps, record, { entityType, rows: ofType });
    if (context !== undefined) contexts.set(entityType, context);
  }
  return rows.flatMap((row) => {
    const context = contexts.get(String(row['entity_type']));
    return context === undefined ? [] : toMentionItem(toEvent(row), record, context);
  });
}

/** Returns the parts of records of one type that the reader may see; undefined if the reader may not see any. */
async function readContext(
  { pool, prepare, directory }: SearchDeps,
  { actor }: StreamedRecord,
  { entityType, rows }: { readonly entityType: string; readonly rows: readonly Row[] },
): Promise<MentionContext | undefined> {
  const model = directory.entity(entityType);
  if (model === undefined || accessLevel(actor, model.name, 'read') === 'no') return undefined;
  const view = viewFor(actor, model, directory.entity);
  const isNamed = `r.id = any(${ownParameter(view)})`;
  const text =
    `select r.id, ${nameColumn(model, view, 'r')} as name from ${liveTable(model.name)} r` +
    ` where ${allOf(isNamed, 'not r.deleted', view.rows(model, 'r'))}`;
  const ids = [...new Set(rows.map((row) => String(row['by_id'])))];
  const found = await runStatement(pool, prepare(withViewer(view, text)), [...view.viewer, ids]);
  const names = new Map(found.map((row) => [String(row['id']), textOrNull(row['name'])]));
  return { ...contextFor(directory, { actor, model, view }), names, findModel: directory.entity };
}
