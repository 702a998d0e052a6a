import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { ActivityStatuses } from '../../../shared/domain/entity/definition/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { listed, missing, streamed } from '../../../shared/http/describe/error-lists.ts';
import { searchParameters } from '../../../shared/http/describe/parameters.ts';
import { inQuery, type Part, refer } from '../../../shared/http/describe/part.ts';
import {
  id,
  nullableText,
  objectOf,
  pageOf,
  recordsOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { viewerExpressions, viewerTable, viewFor } from '../../../shared/search/record-view.ts';
import { runStatement } from '../../../shared/search/run-statement.ts';
import { type Binder, createBinder } from '../../../shared/search/where/binder.ts';
import type { QueryContext } from '../context.ts';
import { readListRequest } from '../lists/read-list-request.ts';
import { searchRecords } from '../lists/search-records.ts';
import { readFixedPage } from '../request/read-page.ts';
import {
  badParameter,
  last,
  type Parameters,
  readNames,
  readParameters,
} from '../request/read-parameters.ts';
import {
  type QueryRoute,
  type RecordRoute,
  readRecordQuery,
  requireGranted,
} from '../request/read-reader.ts';
import { sendList } from '../request/send-list.ts';
import type { RecordList, SortedPage } from '../rows/page.ts';
import { readVersion } from '../rows/require-readable.ts';
import {
  type ActivityKind,
  activityModels,
  activityTime,
  areTimesOpen,
  concerns,
  conditionsAbout,
  endOf,
  isAbout,
  kindsByStatus,
  modelAbout,
  modelsAbout,
  selectActivities,
  startOf,
  statusIn,
  withAssignedName,
} from './activity-kinds.ts';

type TypeRoute = RecordRoute & { readonly Params: { readonly type: string } };

const scope = 'Activities';
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 366;

/**
 * Registers the routes for a record's planned and past activities, and for the user's upcoming ones
 * (docs/reference/activities.md).
 */
export function registerActivityRoutes(server: FastifyInstance, context: QueryContext): void {
  const { directory } = context;

  // Planned activities that the user is assigned to or takes part in, soonest first.
  server.get<QueryRoute>('/api/v1/Activities/upcoming', upcoming, async (request, reply) => {
    const actor = await readActor(context, request);
    requireGranted(actor, scope);
    const parameters = readParameters(request.query);
    const page = readFixedPage(parameters, reply);
    const until = formatDateTime(Date.now() + readDays(parameters) * DAY_MS);
    const types = readNames(parameters, 'entityTypeList');
    const models = activityModels(context).filter(({ name }) => types?.includes(name) !== false);
    return readActivities(context, { actor, models, page }, (kind, binder) => {
      const mine = concerns(kind, viewerExpressions.id);
      if (mine === undefined || !areTimesOpen(kind)) return undefined;
      const isAhead = `${endOf(kind.model)} >= (now() at time zone 'UTC')`;
      const isNear = `${startOf(kind.model)} <= ${binder.bind(until)}::timestamp`;
      return [statusIn(kind.statuses.planned, binder), mine, isAhead, isNear];
    });
  });

  for (const [path, which] of [
    ['activities', 'planned'],
    ['history', 'past'],
  ] as const) {
    server.get<TypeRoute>(
      `/api/v1/Activities/:entity/:id/${path}/list/:type`,
      activitiesOfType(path),
      async (request, reply) => {
        const query = await readRecordQuery(context, request);
        const { actor } = query;
        requireGranted(actor, scope);
        const page = readListRequest(request.query, request.headers['x-no-total']);
        await readVersion(context, query);
        const model = modelAbout(context, query.model, request.params.type);
        const reader = { actor, model, view: viewFor(actor, model, directory.entity) };
        const list = await searchRecords(context, {
          ...reader,
          request: page,
          conditions(binder) {
            const [kind] = kindsByStatus(context, actor, [model]);
            return (kind && conditionsAbout(kind, { ...query, which }, binder)) ?? ['false'];
          },
        });
        return sendList(reply, list, { ...reader, ...page });
      },
    );

    server.get<RecordRoute>(
      `/api/v1/Activities/:entity/:id/${path}`,
      activitiesAbout(path, which),
      async (request, reply) => {
        const query = await readRecordQuery(context, request);
        const { actor } = query;
        requireGranted(actor, scope);
        const page = readFixedPage(readParameters(request.query), reply, 'desc');
        await readVersion(context, query);
        const models = modelsAbout(context, query.model);
        return readActivities(context, { actor, models, page }, (kind, binder) =>
          conditionsAbout(kind, { ...query, which }, binder),
        );
      },
    );
  }
}

/**
 * Returns a page of the activities that meet the conditions for their kind. Kinds with undefined conditions are
 * omitted.
 */
async function readActivities(
  context: QueryContext,
  { actor, models, page }: { actor: Actor; models: readonly EntityModel[]; page: SortedPage },
  conditionsOf: (kind: ActivityKind, binder: Binder) => readonly string[] | undefined,
): Promise<RecordList> {
  const binder = createBinder([actor.id, actor.teamIds]);
  const selects = kindsByStatus(context, actor, models).flatMap((kind) => {
    const conditions = conditionsOf(kind, binder);
    return conditions === undefined ? [] : [selectActivities(context, kind, { conditions })];
  });
  if (selects.length === 0) return { total: 0, list: [] };
  const { direction, maxSize, offset } = page;
  const text =
    `with ${viewerTable}, found as materialized (${selects.join(' union all ')})` +
    ` select c.total, f.* from (select count(*)::float8 as total from found) c left join lateral (select * from found` +
    ` order by ${activityTime} ${direction} nulls last, "createdAt" ${direction}, id ${direction}` +
    ` limit ${maxSize} offset ${binder.bind(offset)}::bigint) f on true`;
  const rows = await runStatement(context.searchPool.of(actor), { text }, [...binder.values]);
  const named = withAssignedName(context.directory);
  return {
    total: Number(rows[0]?.['total'] ?? 0),
    list: rows.flatMap(({ total: _, ...row }) => (row['id'] === null ? [] : [named(row)])),
  };
}

function readDays(parameters: Parameters): number {
  const text = last(parameters, 'futureDays');
  if (text === undefined) return DEFAULT_DAYS;
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (days <= MAX_DAYS) return days;
  throw badParameter(`futureDays must be an integer from 0 to ${MAX_DAYS}.`);
}

/** The name of an activity entity type. `{activity}` expands to the types that the document describes. */
export const activityType: Part = { ...text, enum: ['{activity}'] };

/** The properties of an activity in lists, in addition to its entity type. */
export const activityProperties: Readonly<Record<string, Part>> = {
  id,
  name: nullableText,
  status: nullableText,
  dateStart: nullableText,
  dateStartDate: nullableText,
  dateEnd: nullableText,
  dateEndDate: nullableText,
  assignedUserId: nullableText,
  assignedUserName: nullableText,
  parentType: nullableText,
  parentId: nullableText,
  parentName: nullableText,
  createdAt: nullableText,
};

const activities = pageOf(refer('schemas', 'activityItem'), { maxItems: 200 });

const activityItem: Part = objectOf(
  { ...activityProperties, _scope: { ...text, description: 'The entity type.' } },
  ['id', '_scope', 'name', 'status'],
);

const upcoming = describeRoute({
  id: 'Activities_upcoming',
  tag: 'Several records',
  summary: 'List your upcoming activities',
  parameters: [
    inQuery('futureDays', `The number of days ahead; ${DEFAULT_DAYS} by default.`, {
      schema: { type: 'integer', minimum: 0, maximum: MAX_DAYS },
    }),
    inQuery(
      'entityTypeList',
      'These alone: `entityTypeList[]=Meeting`, or `entityTypeList=Meeting,Call`.',
      { style: 'deepObject', explode: true, schema: { type: 'array', items: activityType } },
    ),
    'order',
    'offset',
    'maxSize',
    'X-Consistency-Token',
  ],
  schemas: { activityItem },
  answer: activities,
  headers: ['X-Ignored-Attributes'],
  errors: [...streamed, 'access.denied'],
});

function activitiesOfType(path: string) {
  return describeRoute({
    id: `{entity}_${path}_{type}`,
    tag: '{entity}',
    summary: `List the ${path} of type {type} of a record of {entity}`,
    parameters: ['id', ...searchParameters, 'X-No-Total'],
    answer: recordsOf('{type}'),
    headers: ['X-Ignored-Attributes'],
    errors: [...listed, 'activities.none', ...missing],
    expand: { isForType: isAbout, finds: '{type}' },
  });
}

function activitiesAbout(path: string, which: keyof ActivityStatuses) {
  return describeRoute({
    id: `{entity}_${path}`,
    tag: '{entity}',
    summary: `List the ${which} activities of a record of {entity}`,
    parameters: ['id', 'order', 'offset', 'maxSize', 'X-Consistency-Token'],
    answer: activities,
    headers: ['X-Ignored-Attributes'],
    errors: [...streamed, 'access.denied', 'activities.none', 'entity.unknown', ...missing],
    expand: { isForType: isAbout },
  });
}
