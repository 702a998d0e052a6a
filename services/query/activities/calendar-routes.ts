import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Actor, isTeammate } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { ownWork, searched } from '../../../shared/http/describe/error-lists.ts';
import { inQuery, type Part, refer } from '../../../shared/http/describe/part.ts';
import { id, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { readTime } from '../../../shared/http/read-time.ts';
import { viewerTable } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import { type Binder, createBinder } from '../../../shared/search/where/binder.ts';
import type { QueryContext } from '../context.ts';
import { refuseFilters, refuseParameters } from '../request/read-page.ts';
import {
  badParameter,
  last,
  type Parameters,
  readNames,
  readParameters,
} from '../request/read-parameters.ts';
import { type QueryRoute, requireGranted } from '../request/read-reader.ts';
import { reportIgnoredForm } from '../request/report-ignored-selection.ts';
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
import { activityProperties, activityType } from './activity-routes.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;
const MAX_USERS = 50;

/**
 * Registers the routes for activities between two times, for one or several users
 * (docs/reference/activities.md#calendars).
 */
export function registerCalendars(server: FastifyInstance, context: QueryContext): void {
  server.get<QueryRoute>('/api/v1/Activities', activitiesBetween, async (request, reply) => {
    const { parameters, ...calendar } = await readCalendarRequest(context, request);
    reportIgnoredForm(reply, parameters);
    // The response does not identify users, so only one user can be requested.
    refuseParameters(parameters, ['userIdList']);
    const userId = last(parameters, 'userId') ?? calendar.actor.id;
    return (await listCalendars(context, { ...calendar, userIds: [userId] })).get(userId);
  });

  server.get<QueryRoute>('/api/v1/Timeline', timelineBetween, async (request, reply) => {
    const { parameters, ...calendar } = await readCalendarRequest(context, request);
    reportIgnoredForm(reply, parameters);
    const userIds = readUserIds(parameters) ?? [calendar.actor.id];
    return Object.fromEntries(await listCalendars(context, { ...calendar, userIds }));
  });
}

async function readCalendarRequest(context: QueryContext, request: FastifyRequest<QueryRoute>) {
  const actor = await readActor(context, request);
  requireGranted(actor, 'Calendar');
  const parameters = readParameters(request.query);
  refuseFilters(parameters);
  refuseParameters(parameters, ['teamIdList', 'offset', 'maxSize', 'order']);
  return {
    actor,
    parameters,
    ...readRange(parameters),
    entityTypes: readNames(parameters, 'scopeList'),
  };
}

/** Reads the times of a range, in the form `YYYY-MM-DD HH:MM:SS`. */
function readRange(parameters: Parameters): { readonly from: string; readonly to: string } {
  const [from, to] = [readMoment(parameters, 'from'), readMoment(parameters, 'to')];
  if (from >= to || to - from > MAX_DAYS * DAY_MS) {
    throw badParameter(`to must be later than from, by at most ${MAX_DAYS} days.`);
  }
  return { from: formatDateTime(from), to: formatDateTime(to) };
}

function readMoment(parameters: Parameters, name: string): number {
  const text = last(parameters, name);
  if (text === undefined) throw badParameter(`${name} is missing.`);
  return readTime(text, name);
}

function readUserIds(parameters: Parameters): readonly string[] | undefined {
  const ids = readNames(parameters, 'userIdList') ?? readNames(parameters, 'userId');
  if (ids === undefined || ids.length <= MAX_USERS) return ids;
  throw badParameter(`userIdList must have at most ${MAX_USERS} ids.`);
}

const between = [
  time('from', 'The start of the range, in UTC or with an offset. A date means midnight in UTC.'),
  time('to', `The end of the range, at most ${MAX_DAYS} days later.`),
  list('scopeList', 'Limits the result to these entity types.', { items: activityType }),
];
const user = inQuery('userId', 'The user whose calendar is read; the requesting user by default.', {
  schema: id,
});
const calendar: Part = { type: 'array', items: refer('schemas', 'calendarItem'), maxItems: 1_000 };
const errors = [
  ...ownWork,
  ...searched,
  'calendar.too_many',
  'parameter.invalid',
  'parameter.unsupported',
] as const;

const calendarItem: Part = objectOf(
  { scope: { ...text, description: 'The entity type.' }, ...activityProperties },
  ['scope', 'id', 'name', 'status'],
);

const activitiesBetween = describeRoute({
  id: 'Activities_between',
  tag: 'Several records',
  summary: 'List the activities of a user between two times',
  parameters: [...between, user, 'X-Consistency-Token'],
  schemas: { calendarItem },
  answer: calendar,
  errors,
});

const timelineBetween = describeRoute({
  id: 'Timeline_between',
  tag: 'Several records',
  summary: 'List the activities of several users between two times, by user id',
  parameters: [
    ...between,
    list('userIdList', 'The users whose calendars are read; the requesting user by default.', {
      items: id,
      maxItems: MAX_USERS,
    }),
    user,
    'X-Consistency-Token',
  ],
  answer: { type: 'object', additionalProperties: calendar },
  errors,
});

function time(name: string, description: string): Part {
  const schema = { ...text, examples: ['2030-01-31 10:00:00', '2030-01-31'] };
  return { name, in: 'query', required: true, description, schema };
}

/** A parameter of the form `a,b`. */
function list(name: string, description: string, schema: Part): Part {
  const array = { type: 'array', ...schema };
  return inQuery(name, description, { style: 'form', explode: false, schema: array });
}

type CalendarQuery = Omit<Awaited<ReturnType<typeof readCalendarRequest>>, 'parameters'> & {
  readonly userIds: readonly string[];
};

/** Activities by user id, ordered by time. */
type Calendars = ReadonlyMap<string, readonly Row[]>;

/** Calendars are not paged. Larger calendars are rejected because a truncated calendar would look complete. */
const MAX_ITEMS = 1_000;

/**
 * Lists the activities that users are assigned to or take part in and that the actor may read. `userCalendarPermission`
 * determines whose calendars the actor may request.
 */
async function listCalendars(context: QueryContext, query: CalendarQuery): Promise<Calendars> {
  const { actor, userIds } = query;
  for (const id of userIds) requireCalendar(context.directory, actor, id);
  const binder = createBinder([actor.id, actor.teamIds]);
  const selects = selectsFor(context, query, binder);
  if (selects.length === 0) return byUser(userIds, []);
  const text =
    `with ${viewerTable}, found as (${selects.join(' union all ')})` +
    ` select * from found order by ${activityTime}, id limit ${MAX_ITEMS + 1}`;
  const rows = await runStatement(context.searchPool.of(actor), { text }, [...binder.values]);
  if (rows.length > MAX_ITEMS) {
    const message = `More than ${MAX_ITEMS} activities. Request a shorter time or fewer users.`;
    throw new Refusal('invalid', 'calendar.too_many', message);
  }
  return byUser(userIds, rows.map(withAssignedName(context.directory)));
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
  context: QueryContext,
  { actor, userIds, from, to, entityTypes }: CalendarQuery,
  binder: Binder,
): readonly string[] {
  const models = activityModels(context);
  const unknown = entityTypes?.find((type) => models.every(({ name }) => name !== type));
  if (unknown !== undefined) {
    const message = `scopeList: '${printable(unknown)}' is not an activity entity type.`;
    throw new Refusal('invalid', 'parameter.invalid', message);
  }
  const users = `${binder.bind(userIds)}::text[]`;
  const [start, end] = [from, to].map((time) => `${binder.bind(time)}::timestamp`);
  const requested = models.filter(({ name }) => entityTypes?.includes(name) !== false);
  return readableKinds(context, actor, requested).flatMap((kind) => {
    const theirs = concerns(kind, 'u.id');
    if (theirs === undefined || !areTimesOpen(kind)) return [];
    const [starts, ends] = [startOf(kind.model), endOf(kind.model)];
    // An activity without a duration counts at its start time.
    const isWithin = `${starts} < ${end} and (${ends} > ${start} or ${starts} >= ${start})`;
    return [selectActivities(context, kind, { conditions: [theirs, isWithin], users })];
  });
}

function byUser(userIds: readonly string[], rows: readonly Row[]): Calendars {
  const calendars = new Map<string, Row[]>(userIds.map((id) => [id, []]));
  for (const { userId, _scope: scope, ...row } of rows) {
    calendars.get(String(userId))?.push({ scope, ...row });
  }
  return calendars;
}
