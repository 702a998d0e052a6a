import { anyIn } from '../../../shared/db/any-in.ts';
import { parentName } from '../../../shared/db/parent-name.ts';
import { liveSchema, quotedColumn, quotedTable } from '../../../shared/db/read-model-names.ts';
import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import type { ActivityStatuses } from '../../../shared/domain/entity/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type RecordView, viewerExpressions, viewFor } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import { type Binder, createBinder } from '../../../shared/search/where/binder.ts';
import type { SearchDeps } from './finish-rows.ts';
import { linkedRows } from './linked-rows.ts';
import type { Direction } from './list-request.ts';
import { quoteText } from './quote-text.ts';
import { readVersion } from './read-version.ts';
import type { RecordQuery } from './require-readable.ts';

interface ActivityPage {
  readonly offset: number;
  readonly maxSize: number;
  readonly direction: Direction;
}

export interface ActivityList {
  readonly total: number;
  readonly list: readonly Row[];
}

/** An entity type of activities of which the actor may see who is concerned and what its status is. */
interface Kind {
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly statuses: ActivityStatuses;
}

/** What is to be done about a record, or was done (api-facts 6.7). Refuses just as a read of the record does. */
export async function listActivities(
  deps: SearchDeps,
  {
    query,
    which,
    page,
  }: {
    readonly query: RecordQuery;
    readonly which: keyof ActivityStatuses;
    readonly page: ActivityPage;
  },
): Promise<ActivityList> {
  const { actor, model: parent, id } = query;
  await readVersion(deps, query);
  const fieldsOf = ({ fields }: EntityModel) =>
    [...fields.keys()].filter((field) => isAbout(fields.get(field), parent));
  const models = activityModels(deps).filter((model) => fieldsOf(model).length > 0);
  if (models.length === 0 || parent.definition.log !== 'records') {
    throw new Refusal('not_found', 'activities.none', `${parent.name} has no activities.`);
  }
  const binder = createBinder(2);
  const bound = `${binder.bind(id)}::text`;
  const selects = kindsFor(deps, actor, models).flatMap((kind) => {
    const about = fieldsOf(kind.model).filter((field) => isFieldOpen(kind, field));
    const links = about.map((field) => {
      const isParent = kind.model.fields.get(field)?.type === 'linkParent';
      const type = isParent ? ('hasChildren' as const) : ('hasMany' as const);
      const link = { name: field, field, type, heldBy: 'other' as const };
      const seen = { ...link, entityType: kind.model.name, foreign: field };
      return linkedRows(seen, { model: parent, target: kind.model, bound }, binder);
    });
    if (links.length === 0) return [];
    const status = statusIn(kind.statuses[which], binder);
    return [selectOf(deps, kind, [status, `(${links.join(' or ')})`])];
  });
  return readActivities(deps, { actor, selects, page, binder });
}

/** What the actor is to do from now on, or takes part in: the next first. */
export async function listUpcoming(
  deps: SearchDeps,
  {
    actor,
    until,
    entityTypes,
    page,
  }: {
    readonly actor: Actor;
    /** In the form of the wire; the time until which they begin or are due. */
    readonly until: string;
    readonly entityTypes: readonly string[] | undefined;
    readonly page: ActivityPage;
  },
): Promise<ActivityList> {
  const binder = createBinder(2);
  const models = activityModels(deps).filter(({ name }) => entityTypes?.includes(name) !== false);
  const end = `${binder.bind(until)}::timestamp`;
  const selects = kindsFor(deps, actor, models).flatMap((kind) => {
    const mine = concerns(kind);
    if (mine === undefined || !isFieldOpen(kind, 'dateStart')) return [];
    const [begins, ends] = [
      timesOf(kind.model, ['dateStart', 'dateEnd'], 0),
      timesOf(kind.model, ['dateEnd', 'dateStart'], 1),
    ];
    const isAhead = `${ends} >= (now() at time zone 'UTC') and ${begins} <= ${end}`;
    return [selectOf(deps, kind, [statusIn(kind.statuses.planned, binder), mine, isAhead])];
  });
  return readActivities(deps, { actor, selects, page, binder });
}

function activityModels({ directory }: SearchDeps): readonly EntityModel[] {
  return directory.entities().filter(({ definition }) => definition.activity !== undefined);
}

/** Types that the actor may read, and whose status is open to them: being in a list would tell it. */
function kindsFor(
  { directory }: SearchDeps,
  actor: Actor,
  models: readonly EntityModel[],
): readonly Kind[] {
  return models.flatMap((model): readonly Kind[] => {
    const statuses = model.definition.activity;
    if (statuses === undefined || accessLevel(actor, model.name, 'read') === 'no') return [];
    const kind = { model, statuses, view: viewFor(actor, model, directory.entity) };
    return isFieldOpen(kind, 'status') ? [kind] : [];
  });
}

/** What comes of the other side of a link has rights of its own. */
function isFieldOpen({ model, view }: Pick<Kind, 'model' | 'view'>, field: string): boolean {
  const own = model.attributes.filter((one) => one.field === field && one.stored);
  return own.length > 0 && own.every(view.isVisible);
}

type Field = ReturnType<EntityModel['fields']['get']>;

/** Whether a field of an activity says which records of a type it is about, or who takes part. */
function isAbout(field: Field, parent: EntityModel): boolean {
  if (field?.type === 'linkParent') return field.entityList?.includes(parent.name) === true;
  const isLink = field?.type === 'link' || field?.type === 'linkMultiple';
  return isLink && field.entityType === parent.name;
}

/** SQL over `t`: the actor is assigned, or among the users who take part; undefined where neither may be seen. */
function concerns(kind: Kind): string | undefined {
  const { model } = kind;
  const me = viewerExpressions.id;
  const conditions = [
    ...(isFieldOpen(kind, 'assignedUser') ? [`t.assigned_user_id = ${me}`] : []),
    ...(model.attribute.has('usersIds') && isFieldOpen(kind, 'users')
      ? [anyIn('t.users_ids', `@> array[${me}]`)]
      : []),
  ];
  return conditions.length === 0 ? undefined : `(${conditions.join(' or ')})`;
}

/** SQL over `t` for the first of these times that there is; a whole day counts from its begin, or `days` later. */
function timesOf({ attribute }: EntityModel, fields: readonly string[], days: number): string {
  const times = fields.flatMap((name) => [
    `t.${quotedColumn({ name })}`,
    ...(attribute.has(`${name}Date`)
      ? [`(t.${quotedColumn({ name: `${name}Date` })} + ${days})::timestamp`]
      : []),
  ]);
  return `coalesce(${times.join(', ')})`;
}

function statusIn(statuses: readonly string[], binder: Binder): string {
  return `t.status = any(${binder.bind(statuses)}::text[])`;
}

/** What every item has, as far as its entity type has it and the actor may see it. */
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

function selectOf(
  { directory }: SearchDeps,
  { model, view }: Kind,
  conditions: readonly string[],
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
      : parentName(named.parent, 't', {
          findModel: directory.entity,
          readable: (target, alias) => (view.isNameOpen(target) ? view.rows(target, alias) : null),
        });
  const rows = ['not t.deleted', view.rows(model, 't'), ...conditions];
  return (
    `select t.id, ${quoteText(model.name)} as "_scope", ${columns.join(', ')}, ${parent} as "parentName"` +
    ` from ${quotedTable(liveSchema, model.name)} t where ${rows.filter((one) => one !== undefined).join(' and ')}`
  );
}

interface Reading {
  readonly actor: Actor;
  readonly selects: readonly string[];
  readonly page: ActivityPage;
  readonly binder: Binder;
}

async function readActivities(
  { searchPool, directory }: SearchDeps,
  { actor, selects, page, binder }: Reading,
): Promise<ActivityList> {
  if (selects.length === 0) return { total: 0, list: [] };
  const { direction, maxSize, offset } = page;
  // Tasks may have an end alone, and whole days have no time.
  const time = `coalesce("dateStart", "dateStartDate"::timestamp, "dateEnd", "dateEndDate"::timestamp)`;
  const text =
    `with viewer as (select $1::text as id, $2::text[] as teams), found as materialized (${selects.join(' union all ')})` +
    ` select c.total, f.* from (select count(*)::float8 as total from found) c left join lateral (select * from found` +
    ` order by ${time} ${direction} nulls last, "createdAt" ${direction}, id ${direction}` +
    ` limit ${maxSize} offset ${binder.bind(offset)}::bigint) f on true`;
  const values = [actor.id, actor.teamIds, ...binder.values];
  const rows = await runStatement(searchPool, { text }, values);
  const nameOf = namesIn(directory);
  return {
    total: Number(rows[0]?.['total'] ?? 0),
    list: rows.flatMap(({ total: _, ...row }) => {
      if (row['id'] === null) return [];
      const { assignedUserId } = row;
      const name = typeof assignedUserId === 'string' ? nameOf('User', assignedUserId) : null;
      return [{ ...row, assignedUserName: name ?? null }];
    }),
  };
}
