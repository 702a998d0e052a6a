import { fitPage } from '../../../shared/db/sql/fit-page.ts';
import { liveSchema, liveTable } from '../../../shared/db/tables/read-model-names.ts';
import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { isRestoration, type RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { timeOfRecordId } from '../../../shared/domain/record/record-id-time.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import {
  ownParameter,
  type Reader,
  viewFor,
  withViewer,
} from '../../../shared/search/record-view.ts';
import { type Row, runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import { eventViewOf, shownChanges } from '../history/past-values.ts';
import { toEvent } from '../history/read-events.ts';
import { nameColumn } from '../stream/to-stream-items.ts';

interface RecentRequest {
  /** The reader of the list. */
  readonly actor: Actor;
  /** The user whose changes are listed. */
  readonly userId: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly offset: number;
  readonly maxSize: number;
}

interface RecentChange {
  readonly changeId: string;
  readonly type: string;
  readonly at: string;
  readonly entityType: string;
  readonly recordId: string | null;
  readonly recordName: string | null;
  readonly attributes: readonly string[];
  readonly action: string | null;
  readonly recordCount: number;
  readonly undoneById: string | null;
}

export interface RecentChanges {
  /** -1 if more changes follow or could follow, otherwise -2. */
  readonly total: -1 | -2;
  readonly list: readonly RecentChange[];
}

/** Returns a user's single changes and mass actions, newest first. */
export async function readRecentChanges(
  context: QueryContext,
  request: RecentRequest,
): Promise<RecentChanges> {
  const { offset, maxSize } = request;
  const end = offset + maxSize;
  const [{ events, isCut }, actions] = await Promise.all([
    readSingleChanges(context, request, end + 1),
    readMassActions(context, request, end + 1),
  ]);
  const changes = [...events, ...actions].toSorted((one, other) => other.atMs - one.atMs);
  const page = changes.slice(offset, end);
  const names = await readNames(context, request, page);
  const undone = await readUndone(context, request, page);
  return {
    total: isCut || changes.length > end ? -1 : -2,
    list: page.map(({ atMs, ...change }) => ({
      ...change,
      at: formatDateTime(atMs),
      recordName: names.get(`${change.entityType}/${change.recordId}`) ?? null,
      undoneById: undone.get(change.changeId) ?? null,
    })),
  };
}

interface FoundChange extends Omit<RecentChange, 'at' | 'recordName' | 'undoneById'> {
  readonly atMs: number;
}

/** Limits the work for users with many changes that the reader may not see. */
const MAX_PAGES = 20;
const MIN_ROWS = 200;

/** Events with many or large values are read in pages. */
const single = fitPage({
  rows: `select version, event, at_ms, entity_type, record_id from ${liveSchema}.record_history
    where actor_id = $1 and at_ms >= $2 and (at_ms, record_id, version) < ($3, $4, $5)
    order by at_ms desc, record_id desc, version desc limit $6`,
  bytes: 'octet_length(event)',
  order: 'at_ms desc, record_id desc, version desc, entity_type',
});

async function readSingleChanges(
  context: QueryContext,
  { actor, userId, since }: RecentRequest,
  limit: number,
): Promise<{ readonly events: readonly FoundChange[]; readonly isCut: boolean }> {
  const events: FoundChange[] = [];
  let before: readonly unknown[] = [Number.MAX_SAFE_INTEGER, '', 0];
  for (let page = 0; page < MAX_PAGES; page++) {
    const rows = await runStatement(context.pool, context.prepare(single), [
      userId,
      since,
      ...before,
      Math.max(limit - events.length, MIN_ROWS),
    ]);
    events.push(...rows.flatMap((row) => toSingleChange(context, actor, toEvent(row))));
    const oldest = rows.at(-1);
    if (oldest === undefined || events.length >= limit) {
      return { events: events.slice(0, limit), isCut: false };
    }
    before = [oldest['at_ms'], oldest['record_id'], oldest['version']];
  }
  return { events, isCut: true };
}

/** Returns an empty list for events that change nothing that the reader may see. */
function toSingleChange(
  { directory }: QueryContext,
  actor: Actor,
  event: RecordEvent,
): readonly FoundChange[] {
  const { entityType, recordId, version, occurredAt: atMs } = event;
  const model = directory.entity(entityType);
  if (model === undefined || accessLevel(actor, entityType, 'read') === 'no') return [];
  const view = viewFor(actor, model, directory.entity);
  const shown = shownChanges(event, eventViewOf(directory, { actor, model, view }));
  const attributes = shown.map(({ attribute }) => attribute.name);
  const type = typeOf(event);
  if (type === 'updated' && attributes.length === 0) return [];
  const changeId = `${entityType}/${recordId}/${version}`;
  return [{ changeId, type, atMs, entityType, recordId, attributes, action: null, recordCount: 1 }];
}

function typeOf(event: RecordEvent): string {
  if (event.type === 'Created') return 'created';
  if (event.type === 'Deleted') return 'deleted';
  if (isRestoration(event)) return 'restored';
  // The event that ends a merge has the same attribute, but is not listed as a change by its user.
  return event.changes.some(({ attribute }) => attribute === 'mergePlan') ? 'merged' : 'updated';
}

const massActions = liveTable('MassAction');

/** Following and unfollowing do not change records. */
const batches = `
  select id, entity_type, action, processed_count from ${massActions}
  where created_at >= $2::timestamp and created_by_id = $1 and status <> 'Running'
    and processed_count > 0 and action not in ('follow', 'unfollow') and not deleted
  order by created_at desc, id desc limit $3`;

async function readMassActions(
  { pool, prepare }: QueryContext,
  { userId, since }: RecentRequest,
  limit: number,
): Promise<readonly FoundChange[]> {
  const rows = await runStatement(pool, prepare(batches), [userId, formatDateTime(since), limit]);
  return rows.map((row) => ({
    changeId: `MassAction/${row['id']}`,
    type: 'massAction',
    atMs: timeOfRecordId(String(row['id'])),
    entityType: String(row['entity_type']),
    recordId: null,
    attributes: [],
    action: textOrNull(row['action']),
    recordCount: Number(row['processed_count']),
  }));
}

/** Returns the names of the records that the reader may read, by type and id. Includes deleted records. */
async function readNames(
  context: QueryContext,
  { actor }: RecentRequest,
  changes: readonly FoundChange[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [entityType, some] of Map.groupBy(changes, (change) => change.entityType)) {
    const model = context.directory.entity(entityType);
    const ids = some.flatMap(({ recordId }) => recordId ?? []);
    if (model === undefined || ids.length === 0) continue;
    const reader = { actor, model, view: viewFor(actor, model, context.directory.entity) };
    for (const { id, name } of await readNamesOf(context, reader, ids)) {
      if (typeof name === 'string') names.set(`${entityType}/${id}`, name);
    }
  }
  return names;
}

async function readNamesOf(
  { pool, prepare }: QueryContext,
  { model, view }: Reader & { readonly model: EntityModel },
  ids: readonly string[],
): Promise<readonly Row[]> {
  const rows = view.rows(model, 't') ?? 'true';
  const text = `select t.id, ${nameColumn(model, view, 't')} as name from ${liveTable(model.name)} t
    where t.id = any(${ownParameter(view)}) and ${rows}`;
  return runStatement(pool, prepare(withViewer(view, text)), [...view.viewer, ids]);
}

const reverts = `
  select data::jsonb ->> 'changeId' as change, max(id) as id from ${massActions}
  where action = 'revert' and created_at >= $1::timestamp and not deleted
    and data::jsonb ->> 'changeId' = any($2) group by 1`;

/** Returns the latest undo of each change. */
async function readUndone(
  { pool, prepare }: QueryContext,
  { since }: RecentRequest,
  changes: readonly FoundChange[],
): Promise<ReadonlyMap<string, string>> {
  const ids = changes.map(({ changeId }) => changeId);
  const rows = await runStatement(pool, prepare(reverts), [formatDateTime(since), ids]);
  return new Map(rows.map(({ change, id }) => [String(change), String(id)]));
}
