import { allOf, anyIn } from '../../../shared/db/sql/conditions.ts';
import { parentName } from '../../../shared/db/sql/parent-name.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import type { ActivityStatuses } from '../../../shared/domain/entity/definition/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { linkedTypesOf } from '../../../shared/domain/field/field-types.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { type RecordView, viewFor } from '../../../shared/search/record-view.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import type { Binder } from '../../../shared/search/where/binder.ts';
import { holdsId } from '../../../shared/search/where/linked-elsewhere.ts';
import type { QueryContext } from '../context.ts';
import { quoteText } from '../rows/quote-text.ts';
import type { RecordQuery } from '../rows/require-readable.ts';

/** An activity entity type that the actor may read. */
export interface ActivityKind {
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly statuses: ActivityStatuses;
}

export function activityModels({ directory }: QueryContext): readonly EntityModel[] {
  return directory.entities().filter(({ definition }) => definition.activity !== undefined);
}

export function readableKinds(
  { directory }: QueryContext,
  actor: Actor,
  models: readonly EntityModel[],
): readonly ActivityKind[] {
  return models.flatMap((model): readonly ActivityKind[] => {
    const statuses = model.definition.activity;
    if (statuses === undefined || accessLevel(actor, model.name, 'read') === 'no') return [];
    return [{ model, statuses, view: viewFor(actor, model, directory.entity) }];
  });
}

/** Returns the kinds whose status the actor may see, because a list filtered by status reveals the status. */
export function kindsByStatus(
  context: QueryContext,
  actor: Actor,
  models: readonly EntityModel[],
): readonly ActivityKind[] {
  return readableKinds(context, actor, models).filter((kind) => isFieldOpen(kind, 'status'));
}

/** Returns SQL over `t` for activities with one of these statuses. */
export function statusIn(statuses: readonly string[], binder: Binder): string {
  return `t.status = any(${binder.bind(statuses)}::text[])`;
}

/** Only the activity's own columns count, because values from the other side of a link have their own access rules. */
export function isFieldOpen({ model, view }: ActivityKind, field: string): boolean {
  const own = model.attributes.filter((one) => one.field === field && one.stored);
  return own.length > 0 && own.every(view.isVisible);
}

/**
 * Returns whether the actor may see the times of activities: a list of activities between two times reveals their
 * times.
 */
export function areTimesOpen(kind: ActivityKind): boolean {
  return isFieldOpen(kind, 'dateStart') && isFieldOpen(kind, 'dateEnd');
}

/**
 * Returns a SQL condition over `t`: the user is assigned to the activity or takes part in it. Undefined if the actor
 * may see neither of these links.
 */
export function concerns(kind: ActivityKind, userId: string): string | undefined {
  const { model } = kind;
  const conditions = [
    ...(isFieldOpen(kind, 'assignedUser') ? [`t.assigned_user_id = ${userId}`] : []),
    ...(model.attribute.has('usersIds') && isFieldOpen(kind, 'users')
      ? [anyIn('t.users_ids', `@> array[${userId}]`)]
      : []),
  ];
  return conditions.length === 0 ? undefined : `(${conditions.join(' or ')})`;
}

/**
 * Returns SQL over `t` for the start of an activity, or for its due time if it has no start. A whole day starts at
 * midnight.
 */
export function startOf(model: EntityModel): string {
  return timeOf(model, ['dateStart', 'dateEnd'], 0);
}

/** Returns SQL over `t` for the end of an activity. A whole day ends at the next midnight. */
export function endOf(model: EntityModel): string {
  return timeOf(model, ['dateEnd', 'dateStart'], 1);
}

function timeOf({ attribute }: EntityModel, fields: readonly string[], days: number): string {
  const times = fields.flatMap((name) => [
    `t.${quotedColumn({ name })}`,
    ...(attribute.has(`${name}Date`)
      ? [`(t.${quotedColumn({ name: `${name}Date` })} + ${days})::timestamp`]
      : []),
  ]);
  return `coalesce(${times.join(', ')})`;
}

/** The attributes of every item. An attribute is null if the entity type lacks it or the actor may not see it. */
const shown = {
  name: 'text',
  status: 'text',
  dateStart: 'timestamp',
  dateStartDate: 'date',
  dateEnd: 'timestamp',
  dateEndDate: 'date',
  assignedUserId: 'text',
  parentType: 'text',
  parentId: 'text',
  createdAt: 'timestamp',
} as const;

/** Orders by time. Tasks may have only an end, and whole-day activities have no time. */
export const activityTime = `coalesce("dateStart", "dateStartDate"::timestamp, "dateEnd", "dateEndDate"::timestamp)`;

/**
 * Returns SQL for activities of a type that meet the conditions over `t`. With `users`, conditions can refer to the user ids
 * as `u.id`, and the result has a row for each user. `more` contains further columns.
 */
export function selectActivities(
  { directory }: QueryContext,
  { model, view }: ActivityKind,
  {
    conditions,
    users,
    more = [],
  }: {
    readonly conditions: readonly string[];
    readonly users?: string;
    readonly more?: readonly string[];
  },
): string {
  const columns = Object.entries(shown).map(([name, type]) => {
    const attribute = model.attribute.get(name);
    const isShown = attribute?.stored === true && view.isVisible(attribute);
    return `${isShown ? `t.${quotedColumn(attribute)}` : `null::${type}`} as "${name}"`;
  });
  const named = model.attribute.get('parentName');
  const parent =
    named?.parent === undefined || !view.isVisible(named)
      ? 'null::text'
      : parentName(named.parent, 't', { findModel: directory.entity, readable: view.named });
  const [userId, joined] =
    users === undefined ? ['', ''] : [', u.id as "userId"', ` cross join unnest(${users}) u (id)`];
  return (
    `select t.id, ${quoteText(model.name)} as "_scope", ${[...columns, ...more].join(', ')}, ${parent} as "parentName"${userId}` +
    ` from ${liveTable(model.name)} t${joined}` +
    ` where ${allOf('not t.deleted', view.rows(model, 't'), ...conditions)}`
  );
}

/** Adds the assigned user's name, which all users may see. */
export function withAssignedName(directory: Directory): (row: Row) => Row {
  const nameOf = namesIn(directory);
  return (row) => {
    const { assignedUserId } = row;
    const name = typeof assignedUserId === 'string' ? nameOf('User', assignedUserId) : null;
    return { ...row, assignedUserName: name ?? null };
  };
}

/** Returns the activity entity types that records of a type can have. Throws a refusal if the type does not support activities. */
export function modelsAbout(context: QueryContext, parent: EntityModel): readonly EntityModel[] {
  const models = context.directory.entities().filter((model) => isAbout(parent, model));
  if (models.length > 0) return models;
  throw new Refusal('not_found', 'activities.none', `${parent.name} does not support activities.`);
}

/** Returns whether `parent` records can have `model` activities. */
export function isAbout(parent: EntityModel, model: EntityModel): boolean {
  if (parent.definition.log !== 'records' || model.definition.activity === undefined) return false;
  return fieldsAbout(model, parent).length > 0;
}

/** Returns the activity entity type with this name. */
export function modelAbout(
  context: QueryContext,
  parent: EntityModel,
  entityType: string,
): EntityModel {
  const model = modelsAbout(context, parent).find(({ name }) => name === entityType);
  if (model !== undefined) return model;
  const message = `${parent.name} has no activities of type '${printable(entityType)}'.`;
  throw new Refusal('not_found', 'activities.none', message);
}

/** Returns SQL over `t` for activities of one kind; undefined if the actor may not see their links to records. */
export function conditionsAbout(
  kind: ActivityKind,
  { model: parent, id, which }: RecordQuery & { readonly which: keyof ActivityStatuses },
  binder: Binder,
): readonly string[] | undefined {
  const about = fieldsAbout(kind.model, parent).filter((field) => isFieldOpen(kind, field));
  if (about.length === 0) return undefined;
  const bound = `${binder.bind(id)}::text`;
  const links = about.map((field) => {
    const isParent = kind.model.attribute.get(`${field}Type`)?.link === 'type';
    const link = { type: isParent ? 'hasChildren' : 'hasMany', field } as const;
    return holdsId(link, { model: kind.model, alias: 't' }, { model: parent, id: bound });
  });
  return [statusIn(kind.statuses[which], binder), `(${links.join(' or ')})`];
}

/** Returns the fields that link an activity to records of a type, as its parent or as participants. */
function fieldsAbout({ fields }: EntityModel, parent: EntityModel): readonly string[] {
  return [...fields]
    .filter(([, field]) => linkedTypesOf(field).includes(parent.name))
    .map(([name]) => name);
}
