import type { FastifyInstance } from 'fastify';
import type { ActivityStatuses } from '../../../shared/domain/entity/definition/entity-definition.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { listed, streamed } from '../../../shared/http/describe/error-lists.ts';
import { searchParameters } from '../../../shared/http/describe/parameters.ts';
import { inQuery, type Part, refer } from '../../../shared/http/describe/part.ts';
import { objectOf, pageOf, recordsOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { readListRequest } from '../lists/read-list-request.ts';
import { readPlainPage } from '../request/read-page.ts';
import {
  badParameter,
  last,
  type Parameters,
  readNames,
  readParameters,
} from '../request/read-parameters.ts';
import {
  type QueryRoute,
  type ReadDeps,
  type RecordRoute,
  readerOf,
  readRecordQuery,
  requireGranted,
} from '../request/read-reader.ts';
import { reportIgnoredForm, reportIgnoredSelection } from '../request/report-ignored-selection.ts';
import { sendList } from '../request/send-list.ts';
import { isAbout } from './activities-about.ts';
import { activityProperties, activityType } from './activity-schemas.ts';
import { listActivities, listUpcoming } from './list-activities.ts';
import { listActivitiesOfType } from './list-activities-of-type.ts';

type TypeRoute = RecordRoute & { readonly Params: { readonly type: string } };

const scope = 'Activities';
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 366;

/** Registers planned and past activities of a record, and upcoming ones of the user (docs/reference/activities.md). */
export function registerActivityRoutes(server: FastifyInstance, deps: ReadDeps): void {
  server.get<QueryRoute>('/api/v1/Activities/upcoming', upcoming, async (request, reply) => {
    const actor = await readActor(deps, request);
    requireGranted(actor, scope);
    const parameters = readParameters(request.query);
    const page = readPlainPage(parameters);
    reportIgnoredForm(reply, parameters);
    const until = formatDateTime(Date.now() + readDays(parameters) * DAY_MS);
    const entityTypes = readNames(parameters, 'entityTypeList');
    return listUpcoming(deps, { actor, until, entityTypes, page });
  });

  const statuses: Readonly<Record<string, keyof ActivityStatuses>> = {
    activities: 'planned',
    history: 'past',
  };
  for (const [path, which] of Object.entries(statuses)) {
    server.get<TypeRoute>(
      `/api/v1/Activities/:entity/:id/${path}/list/:type`,
      activitiesOfType(path),
      async (request, reply) => {
        const query = await readRecordQuery(deps, request);
        requireGranted(query.actor, scope);
        const page = readListRequest(request.query, request.headers['x-no-total']);
        const { type: entityType } = request.params;
        const found = { query, which, entityType, request: page };
        const list = await listActivitiesOfType(deps, found);
        reportIgnoredSelection(reply, readerOf(deps, query.actor, entityType), page.select);
        return sendList(reply, list);
      },
    );

    server.get<RecordRoute>(
      `/api/v1/Activities/:entity/:id/${path}`,
      activitiesAbout(path, which),
      async (request, reply) => {
        const query = await readRecordQuery(deps, request);
        requireGranted(query.actor, scope);
        const parameters = readParameters(request.query);
        const page = readPlainPage(parameters, 'desc');
        reportIgnoredForm(reply, parameters);
        return listActivities(deps, { query, which, page });
      },
    );
  }
}

function readDays(parameters: Parameters): number {
  const text = last(parameters, 'futureDays');
  if (text === undefined) return DEFAULT_DAYS;
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (days <= MAX_DAYS) return days;
  throw badParameter(`futureDays must be an integer from 0 to ${MAX_DAYS}.`);
}

const activities = pageOf(refer('schemas', 'activityItem'), { maxItems: 200 });
const adjective = { planned: 'planned', past: 'past' };

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
    errors: [...listed, 'activities.none', 'record.not_found'],
    expand: { isForType: isAbout, finds: '{type}' },
  });
}

function activitiesAbout(path: string, which: keyof ActivityStatuses) {
  return describeRoute({
    id: `{entity}_${path}`,
    tag: '{entity}',
    summary: `List the ${adjective[which]} activities of a record of {entity}`,
    parameters: ['id', 'order', 'offset', 'maxSize', 'X-Consistency-Token'],
    answer: activities,
    headers: ['X-Ignored-Attributes'],
    errors: [...streamed, 'access.denied', 'activities.none', 'entity.unknown', 'record.not_found'],
    expand: { isForType: isAbout },
  });
}
