import type { Actor } from '../../../shared/domain/access/actor.ts';
import { viewerExpressions, viewerTable } from '../../../shared/search/record-view.ts';
import { runStatement } from '../../../shared/search/run-statement.ts';
import { type Binder, createBinder } from '../../../shared/search/where/binder.ts';
import type { RecordList, SortedPage } from '../lists/list-request.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { readVersion } from '../rows/require-readable.ts';
import { type ActivitiesAbout, conditionsAbout, modelsAbout } from './activities-about.ts';
import {
  activityModels,
  activityTime,
  areTimesOpen,
  concerns,
  endOf,
  kindsByStatus,
  selectActivities,
  startOf,
  statusIn,
  withAssignedName,
} from './activity-kinds.ts';

/** Lists the planned or past activities of a record. Refuses the request if the actor may not read the record. */
export async function listActivities(
  deps: SearchDeps,
  { page, ...about }: ActivitiesAbout & { readonly page: SortedPage },
): Promise<RecordList> {
  const { actor, model: parent } = about.query;
  await readVersion(deps, about.query);
  const models = modelsAbout(deps, parent);
  const binder = createBinder([actor.id, actor.teamIds]);
  const selects = kindsByStatus(deps, actor, models).flatMap((kind) => {
    const conditions = conditionsAbout(kind, about, binder);
    return conditions === undefined ? [] : [selectActivities(deps, kind, { conditions })];
  });
  return readActivities(deps, { actor, selects, page, binder });
}

/** Lists planned activities that the actor is assigned to or takes part in, the next one first. */
export async function listUpcoming(
  deps: SearchDeps,
  {
    actor,
    until,
    entityTypes,
    page,
  }: {
    readonly actor: Actor;
    /** In the form `YYYY-MM-DD HH:MM:SS`. Only activities that start or are due before this time are listed. */
    readonly until: string;
    readonly entityTypes: readonly string[] | undefined;
    readonly page: SortedPage;
  },
): Promise<RecordList> {
  const binder = createBinder([actor.id, actor.teamIds]);
  const models = activityModels(deps).filter(({ name }) => entityTypes?.includes(name) !== false);
  const end = `${binder.bind(until)}::timestamp`;
  const selects = kindsByStatus(deps, actor, models).flatMap((kind) => {
    const mine = concerns(kind, viewerExpressions.id);
    if (mine === undefined || !areTimesOpen(kind)) return [];
    const isAhead = `${endOf(kind.model)} >= (now() at time zone 'UTC') and ${startOf(kind.model)} <= ${end}`;
    const conditions = [statusIn(kind.statuses.planned, binder), mine, isAhead];
    return [selectActivities(deps, kind, { conditions })];
  });
  return readActivities(deps, { actor, selects, page, binder });
}

interface Reading {
  readonly actor: Actor;
  readonly selects: readonly string[];
  readonly page: SortedPage;
  readonly binder: Binder;
}

async function readActivities(
  { searchPool, directory }: SearchDeps,
  { actor, selects, page, binder }: Reading,
): Promise<RecordList> {
  if (selects.length === 0) return { total: 0, list: [] };
  const { direction, maxSize, offset } = page;
  const text =
    `with ${viewerTable}, found as materialized (${selects.join(' union all ')})` +
    ` select c.total, f.* from (select count(*)::float8 as total from found) c left join lateral (select * from found` +
    ` order by ${activityTime} ${direction} nulls last, "createdAt" ${direction}, id ${direction}` +
    ` limit ${maxSize} offset ${binder.bind(offset)}::bigint) f on true`;
  const rows = await runStatement(searchPool.of(actor), { text }, [...binder.values]);
  const named = withAssignedName(directory);
  return {
    total: Number(rows[0]?.['total'] ?? 0),
    list: rows.flatMap(({ total: _, ...row }) => (row['id'] === null ? [] : [named(row)])),
  };
}
