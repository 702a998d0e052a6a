import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { ownWork, searched } from '../../../shared/http/describe/error-lists.ts';
import { inQuery, type Part, refer } from '../../../shared/http/describe/part.ts';
import { id, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { readTime } from '../../../shared/http/read-time.ts';
import { refuseFilters, refuseParameters } from '../request/read-page.ts';
import {
  badParameter,
  last,
  type Parameters,
  readNames,
  readParameters,
} from '../request/read-parameters.ts';
import { type QueryRoute, type ReadDeps, requireGranted } from '../request/read-reader.ts';
import { reportIgnoredForm } from '../request/report-ignored-selection.ts';
import { activityProperties, activityType } from './activity-schemas.ts';
import { listCalendars } from './list-calendars.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;
const MAX_USERS = 50;

/** Registers activities between two times, of one user or of several (docs/reference/activities.md#calendars). */
export function registerCalendars(server: FastifyInstance, deps: ReadDeps): void {
  server.get<QueryRoute>('/api/v1/Activities', activitiesBetween, async (request, reply) => {
    const { actor, parameters, ...range } = await readCalendarRequest(deps, request);
    reportIgnoredForm(reply, parameters);
    // The response does not identify users, so only one user can be requested.
    refuseParameters(parameters, ['userIdList']);
    const userId = last(parameters, 'userId') ?? actor.id;
    const calendars = await listCalendars(deps, { ...range, actor, userIds: [userId] });
    return calendars.get(userId);
  });

  server.get<QueryRoute>('/api/v1/Timeline', timelineBetween, async (request, reply) => {
    const { actor, parameters, ...range } = await readCalendarRequest(deps, request);
    reportIgnoredForm(reply, parameters);
    const userIds = readUserIds(parameters) ?? [actor.id];
    return Object.fromEntries(await listCalendars(deps, { ...range, actor, userIds }));
  });
}

async function readCalendarRequest(deps: ReadDeps, request: FastifyRequest<QueryRoute>) {
  const actor = await readActor(deps, request);
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

/** Returns times in the form `YYYY-MM-DD HH:MM:SS`. */
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
