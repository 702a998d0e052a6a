import { allOf } from '../../../shared/db/sql/conditions.ts';
import { rowCondition } from '../../../shared/db/sql/row-condition.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import { type EntityModel, hasBin } from '../../../shared/domain/entity/model/entity-model.ts';
import { undoableSince } from '../../../shared/domain/record/undo-days.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { viewerExpressions, viewFor, withViewer } from '../../../shared/search/record-view.ts';
import { type Row, runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import { type Binder, createBinder } from '../../../shared/search/where/binder.ts';
import type { QueryContext } from '../context.ts';
import { type Page, type PageOf, uncounted } from '../rows/page.ts';
import { quoteText } from '../rows/quote-text.ts';
import { nameColumn } from '../stream/to-stream-items.ts';

interface DeletedRequest extends Page {
  readonly actor: Actor;
  /** Limits the list to one entity type, or to one record; undefined for all. */
  readonly entityType: string | undefined;
  readonly recordId: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface DeletedRecord {
  readonly entityType: string;
  readonly recordId: string;
  readonly recordName: string | null;
  readonly at: string;
  readonly deletedById: string | null;
  readonly deletedByName: string | null;
}

/**
 * Returns a page of the deleted records that the actor may restore, most recently deleted first. A deletion is the last
 * change of its record.
 */
export async function readDeleted(
  { searchPool, directory }: QueryContext,
  request: DeletedRequest,
): Promise<PageOf<DeletedRecord>> {
  const { actor, entityType, offset, maxSize } = request;
  const models = directory
    .entities()
    .filter((model) => entityType === undefined || model.name === entityType)
    .filter((model) => mayRestore(actor, model));
  if (models.length === 0) return { total: -2, list: [] };
  const viewer = actor.type === 'admin' ? ([] as const) : ([actor.id, actor.teamIds] as const);
  const binder = createBinder(viewer);
  const condition = conditionOf(request, binder);
  const found = models.map(
    (model) =>
      `(${deletedIn(model, { actor, condition, findModel: directory.entity })} order by at desc, id limit ${offset + maxSize + 1})`,
  );
  const statement = `select * from (${found.join(' union all ')}) f order by at desc, id limit ${maxSize + 1} offset ${binder.bind(offset)}::bigint`;
  const rows = await runStatement(
    searchPool.of(actor),
    { text: withViewer({ viewer }, statement) },
    [...binder.values],
  );
  const nameOf = namesIn(directory);
  return uncounted(
    rows.map((row) => toDeleted(row, (id) => nameOf('User', id))),
    maxSize,
  );
}

function mayRestore(actor: Actor, model: EntityModel): boolean {
  const rights = ['read', 'create', 'delete'] as const;
  return hasBin(model) && rights.every((right) => accessLevel(actor, model.name, right) !== 'no');
}

/**
 * Users may restore records that they deleted themselves, for a limited time. See `requireRestorer` in the command
 * service.
 */
function conditionOf({ actor, recordId, now }: DeletedRequest, binder: Binder): string {
  const isOwn = `t.${quotedColumn({ name: 'modifiedById' })} = ${viewerExpressions.id}`;
  const isRecent = () =>
    `t.${quotedColumn({ name: 'modifiedAt' })} >= ${binder.bind(formatDateTime(undoableSince(now)))}::timestamp`;
  return allOf(
    't.deleted',
    ...(actor.type === 'admin' ? [] : [isOwn, isRecent()]),
    recordId === undefined ? undefined : `t.id = ${binder.bind(recordId)}`,
  );
}

function deletedIn(
  model: EntityModel,
  {
    actor,
    condition,
    findModel,
  }: {
    readonly actor: Actor;
    readonly condition: string;
    readonly findModel: QueryContext['directory']['entity'];
  },
): string {
  const view = viewFor(actor, model, findModel);
  const isDeletable = rowCondition({ actor, model, right: 'delete' }, 't', viewerExpressions);
  const columns = [
    `${quoteText(model.name)} as type`,
    't.id',
    `${nameColumn(model, view, 't')} as name`,
    `t.${quotedColumn({ name: 'modifiedAt' })} as at`,
    `t.${quotedColumn({ name: 'modifiedById' })} as user_id`,
  ];
  const rows = allOf(condition, view.rows(model, 't'), isDeletable);
  return `select ${columns.join(', ')} from ${liveTable(model.name)} t where ${rows}`;
}

function toDeleted(row: Row, nameOf: (userId: string) => string | undefined): DeletedRecord {
  const userId = textOrNull(row['user_id']);
  return {
    entityType: String(row['type']),
    recordId: String(row['id']),
    recordName: textOrNull(row['name']),
    at: String(row['at']),
    deletedById: userId,
    deletedByName: userId === null ? null : (nameOf(userId) ?? null),
  };
}
