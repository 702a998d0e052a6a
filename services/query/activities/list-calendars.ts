import { type Actor, isTeammate } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { viewerTable } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import { type Binder, createBinder } from '../../../shared/search/where/binder.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { noSuchRecord } from '../rows/require-readable.ts';
import {
  activityModels,
  activityTime,
  areTimesOpen,
  concerns,
  endOf,
  readableKinds,
  selectActivities,
  startOf,
  withAssignedName,
} from './activity-kinds.ts';

interface CalendarQuery {
  readonly actor: Actor;
  readonly userIds: readonly string[];
  /** In the form `YYYY-MM-DD HH:MM:SS`. Includes planned and past activities. */
  readonly from: string;
  readonly to: string;
  /** Undefined means all types of activities. */
  readonly entityTypes: readonly string[] | undefined;
}

/** Activities by user id, ordered by time. */
type Calendars = ReadonlyMap<string, readonly Row[]>;

/** Calendars have no pages. Larger ones are rejected because a truncated calendar would look complete. */
const MAX_ITEMS = 1_000;

/**
 * Lists the activities that users are assigned to or take part in and that the actor may read. `userCalendarPermission`
 * decides whose calendars the actor may request.
 */
export async function listCalendars(deps: SearchDeps, query: CalendarQuery): Promise<Calendars> {
  const { actor, userIds } = query;
  for (const id of userIds) requireCalendar(deps.directory, actor, id);
  const binder = createBinder([actor.id, actor.teamIds]);
  const selects = selectsFor(deps, query, binder);
  if (selects.length === 0) return byUser(userIds, []);
  const text =
    `with ${viewerTable}, found as (${selects.join(' union all ')})` +
    ` select * from found order by ${activityTime}, id limit ${MAX_ITEMS + 1}`;
  const rows = await runStatement(deps.searchPool.of(actor), { text }, [...binder.values]);
  if (rows.length > MAX_ITEMS) {
    const message = `More than ${MAX_ITEMS} activities. Request a shorter time or fewer users.`;
    throw new Refusal('invalid', 'calendar.too_many', message);
  }
  return byUser(userIds, rows.map(withAssignedName(deps.directory)));
}

function requireCalendar(directory: Directory, actor: Actor, id: string): void {
  if (id === actor.id) return;
  const level = actor.permissions.userCalendar;
  const user = directory.record('User', id);
  const found = user === undefined || user.deleted ? undefined : directory.actor(user);
  const isOpen = level === 'team' && found !== undefined && isTeammate(actor, found);
  if (level !== 'all' && !isOpen) {
    throw new Refusal('forbidden', 'access.denied', 'No permission to see this calendar.');
  }
  if (found === undefined) throw noSuchRecord(id);
}

function selectsFor(
  deps: SearchDeps,
  { actor, userIds, from, to, entityTypes }: CalendarQuery,
  binder: Binder,
): readonly string[] {
  const models = activityModels(deps);
  const unknown = entityTypes?.find((type) => models.every(({ name }) => name !== type));
  if (unknown !== undefined) {
    const message = `scopeList: '${printable(unknown)}' is not an activity entity type.`;
    throw new Refusal('invalid', 'parameter.invalid', message);
  }
  const users = `${binder.bind(userIds)}::text[]`;
  const [start, end] = [from, to].map((time) => `${binder.bind(time)}::timestamp`);
  const requested = models.filter(({ name }) => entityTypes?.includes(name) !== false);
  return readableKinds(deps, actor, requested).flatMap((kind) => {
    const theirs = concerns(kind, 'u.id');
    if (theirs === undefined || !areTimesOpen(kind)) return [];
    const [starts, ends] = [startOf(kind.model), endOf(kind.model)];
    // An activity without a duration counts at its start time.
    const isWithin = `${starts} < ${end} and (${ends} > ${start} or ${starts} >= ${start})`;
    return [selectActivities(deps, kind, { conditions: [theirs, isWithin], users })];
  });
}

function byUser(userIds: readonly string[], rows: readonly Row[]): Calendars {
  const calendars = new Map<string, Row[]>(userIds.map((id) => [id, []]));
  for (const { userId, _scope: scope, ...row } of rows) {
    calendars.get(String(userId))?.push({ scope, ...row });
  }
  return calendars;
}
