import { allOf } from '../../../shared/db/sql/conditions.ts';
import { fitPage, isFull } from '../../../shared/db/sql/fit-page.ts';
import { liveSchema, liveTable, quoteName } from '../../../shared/db/tables/read-model-names.ts';
import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { linkedBy } from '../../../shared/domain/stream/mentions.ts';
import { numberOfEvent } from '../../../shared/domain/stream/stream-number.ts';
import { ownParameter, viewFor, withViewer } from '../../../shared/search/record-view.ts';
import { type Row, runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import { toEvent } from '../history/read-events.ts';
import { type StreamSource, sourceOfChunks } from './merge-sources.ts';
import type { StreamItem, StreamRequest } from './stream-item.ts';
import { contextFor, type ItemContext, nameColumn, toItem } from './to-stream-items.ts';

/** The record of the stream, and the actor who reads the stream. */
export interface StreamedRecord extends Mentioned {
  readonly actor: Actor;
}

const FIRST_CHUNK = 50;
const LARGEST_CHUNK = 1_000;
/**
 * Maximum number of mentions that are read for one page. Bounds the work if the reader may see hardly any of the linked
 * records.
 */
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
  context: QueryContext,
  record: StreamedRecord,
  request: StreamRequest,
): StreamSource {
  let looked = 0;
  let limit = FIRST_CHUNK;
  let isEnd = false;
  let [number, id] = [Math.min(request.below, HIGHEST), ''];

  return sourceOfChunks(request.below, async () => {
    if (isEnd) return undefined;
    const rows = await readMentions(context, record, { from: request.from, number, id, limit });
    const last = rows.at(-1);
    looked += rows.length;
    const isLast = last === undefined || (rows.length < limit && !isFull(rows));
    isEnd = isLast || looked >= MAX_LOOKED_AT;
    limit = Math.min(limit * 2, LARGEST_CHUNK);
    [number, id] = [Number(last?.['number']), String(last?.['by_id'])];
    return toItems(context, record, rows);
  });
}

/** Returns all items, newest first; undefined if there are more than `limit`, or more than fit on a page. */
export async function readAllMentions(
  context: QueryContext,
  record: StreamedRecord,
  { from, below, limit }: StreamRequest & { readonly limit: number },
): Promise<readonly StreamItem[] | undefined> {
  const number = Math.min(below, HIGHEST);
  const rows = await readMentions(context, record, { from, number, id: '', limit: limit + 1 });
  return rows.length > limit || isFull(rows) ? undefined : toItems(context, record, rows);
}

/** Selects mentions with a number lower than `number`, or with that number and a lower id. */
async function readMentions(
  { pool, prepare }: QueryContext,
  { id: recordId }: StreamedRecord,
  { from, number, id, limit }: Record<'from' | 'number' | 'limit', number> & { id: string },
): Promise<readonly Row[]> {
  const values = [recordId, Math.max(Math.ceil(from), 0), number, id, limit];
  return runStatement(pool, prepare(mentionsText), values);
}

async function toItems(
  context: QueryContext,
  record: StreamedRecord,
  rows: readonly Row[],
): Promise<readonly StreamItem[]> {
  const contexts = new Map<string, MentionContext>();
  for (const [entityType, ofType] of Map.groupBy(rows, (row) => String(row['entity_type']))) {
    const found = await readContext(context, record, { entityType, rows: ofType });
    if (found !== undefined) contexts.set(entityType, found);
  }
  return rows.flatMap((row) => {
    const found = contexts.get(String(row['entity_type']));
    return found === undefined ? [] : toMentionItem(toEvent(row), record, found);
  });
}

/** Returns the parts that the reader may see in records of one type; undefined if nothing is visible. */
async function readContext(
  { pool, prepare, directory }: QueryContext,
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

/** A record that events of other records link. */
export interface Mentioned {
  readonly model: EntityModel;
  readonly id: string;
  readonly name: string | null;
}

/** The visible parts of the events' records, for this reader. */
export interface MentionContext extends Omit<ItemContext, 'recordName'> {
  /** The names of the records that the reader may read, by id. */
  readonly names: ReadonlyMap<string, string | null>;
  readonly findModel: FindModel;
}

/** Returns the item in a record's stream for an event of another record that linked or unlinked it; at most one. */
export function toMentionItem(
  event: RecordEvent,
  record: Mentioned,
  context: MentionContext,
): readonly StreamItem[] {
  const { names, model } = context;
  if (!names.has(event.recordId)) return [];
  const mention = findMention(event, record, context);
  if (mention === undefined) return [];
  const { recordId: relatedId } = event;
  const relatedName = names.get(relatedId) ?? null;
  const item = toItem(event, context, {
    id: `${relatedId}.${event.version}.${record.id}`,
    type: mention.type,
    number: numberOfEvent(event, 0),
    data: {
      link: mention.link,
      relatedIds: [relatedId],
      relatedNames: { [relatedId]: relatedName },
    },
    parentType: record.model.name,
    parentId: record.id,
    parentName: record.name,
    relatedType: model.name,
    relatedId,
    relatedName,
  });
  return [item];
}

interface Mention {
  readonly type: 'CreateRelated' | 'Relate' | 'Unrelate';
  /** The name of the link on the record's side; null if that side has no such link. */
  readonly link: string | null;
}

/**
 * Returns a single mention for a record that is linked twice (for example as the primary record, and in a list). The
 * record counts as linked if one of the links exists.
 */
function findMention(
  event: RecordEvent,
  record: Mentioned,
  context: MentionContext,
): Mention | undefined {
  const found = event.changes.flatMap((change): readonly Mention[] => {
    const { added, removed } = linkedBy(change);
    const isAdded = added.includes(record.id);
    if (!isAdded && !removed.includes(record.id)) return [];
    const field = context.shown(change.attribute)?.field;
    if (field === undefined || !isMentionOf(event, field, { record, context })) return [];
    const linked = event.type === 'Created' ? 'CreateRelated' : 'Relate';
    return [{ type: isAdded ? linked : 'Unrelate', link: linkNameOf(field, { record, context }) }];
  });
  const related = found.filter(({ type }) => type !== 'Unrelate');
  const [first] = related.length > 0 ? related : found;
  return (related.length > 0 ? related : found).find(({ link }) => link !== null) ?? first;
}

interface Sides {
  readonly record: Mentioned;
  readonly context: MentionContext;
}

/** Returns whether a field links records of this type. Ids of other types are not mentions. */
function isMentionOf(event: RecordEvent, field: string, { record, context }: Sides): boolean {
  const definition = context.model.fields.get(field);
  const isParent = definition?.entityList !== undefined;
  if (!isParent) return definition?.entityType === record.model.name;
  const types = event.changes.find(({ attribute }) => attribute === `${field}Type`);
  return [types?.before, types?.after].includes(record.model.name);
}

function linkNameOf(field: string, { record, context }: Sides): string | null {
  const { findModel, model } = context;
  const links = [...linksOf(record.model, findModel).values()];
  const found = links.find(
    (link) => link.heldBy === 'other' && link.entityType === model.name && link.field === field,
  );
  return found?.name ?? null;
}
