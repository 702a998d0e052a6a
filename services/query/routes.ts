import type { FastifyInstance } from 'fastify';
import type { EntityModel } from '../../shared/domain/entity/model/entity-model.ts';
import { describeRoute, emptyAnswer } from '../../shared/http/describe/describe-route.ts';
import { always, read as errorsOfRead, listed } from '../../shared/http/describe/error-lists.ts';
import { searchParameters } from '../../shared/http/describe/parameters.ts';
import { type Part, refer } from '../../shared/http/describe/part.ts';
import {
  administrator,
  nullableText,
  objectOf,
  pageOf,
  recordsOf,
  text,
} from '../../shared/http/describe/schemas.ts';
import { toEntityTag } from '../../shared/http/entity-tag.ts';
import { sendJson } from '../../shared/http/send-json.ts';
import { createPrepare } from '../../shared/search/run-statement.ts';
import { registerActivityRoutes } from './activities/activity-routes.ts';
import { registerAttendees } from './activities/attendee-routes.ts';
import { registerCalendars } from './activities/calendar-routes.ts';
import { registerFileRoutes } from './files/file-routes.ts';
import { readAsOf } from './history/read-as-of.ts';
import { readHistory } from './history/read-history.ts';
import { readPastRecord } from './history/read-past-record.ts';
import { linkedReader, listLinked } from './links/list-linked.ts';
import { createCommonTrigrams } from './lists/common-trigrams.ts';
import { registerGlobalSearch } from './lists/global-search-routes.ts';
import { createListRecords } from './lists/list-records.ts';
import { readListRequest } from './lists/read-list-request.ts';
import { registerAppRoutes } from './metadata/app-routes.ts';
import { registerLayouts } from './metadata/layout-routes.ts';
import { registerDescriptionRoutes } from './openapi/description-routes.ts';
import { registerAccessRoutes } from './records/access-routes.ts';
import { isUnchanged } from './records/is-unchanged.ts';
import { createReadRecord, type ReadRecord } from './records/read-record.ts';
import { pageLinks } from './request/page-links.ts';
import { readPlainPage } from './request/read-page.ts';
import { readParameters } from './request/read-parameters.ts';
import {
  type QueryRoute,
  type QueryRouteDeps,
  type ReadDeps,
  type RecordRoute,
  readReader,
  readRecordQuery,
} from './request/read-reader.ts';
import {
  readSelect,
  reportIgnoredForm,
  reportIgnoredSelection,
} from './request/report-ignored-selection.ts';
import { sendList } from './request/send-list.ts';
import { createReadPost } from './stream/mark-posts.ts';
import { registerStreamReads } from './stream/stream-routes.ts';
import { registerDeliveryRoutes } from './webhooks/delivery-routes.ts';

type EntityRoute = QueryRoute & { readonly Params: { readonly entity: string } };
type LinkRoute = RecordRoute & { readonly Params: { readonly link: string } };

/** Registers all routes that read, except exports, which also write files. */
export function registerQueryRoutes(server: FastifyInstance, deps: QueryRouteDeps): void {
  const { pool, searchPool, reads = { pool, searchPool } } = deps;
  const reading: ReadDeps = {
    ...deps,
    ...reads,
    openSecret: deps.secrets.tryOpen,
    prepare: createPrepare(),
    findCommonTrigrams: createCommonTrigrams(searchPool),
  };
  const listRecords = createListRecords(reading);
  const readRecord = createReadPost(reading, createReadRecord(reading));

  registerFileRoutes(server, { ...reading, pool }, readRecord);
  registerAppRoutes(server, deps);
  registerLayouts(server, reading);
  registerDeliveryRoutes(server, deps);
  registerGlobalSearch(server, reading);
  registerStreamReads(server, reading);
  registerAccessRoutes(server, reading);
  registerActivityRoutes(server, reading);
  registerAttendees(server, reading, readRecord);
  registerCalendars(server, reading);
  server.get('/api/v1', greeting, (_request, reply) => sendJson(reply, 'Annals REST API'));

  server.get<EntityRoute>('/api/v1/:entity', list, async (request, reply) => {
    const reader = await readReader(reading, request, request.params.entity);
    const page = readListRequest(request.query, request.headers['x-no-total']);
    const list = await listRecords({ ...reader, request: page });
    const links = pageLinks({ ...page, url: request.url, list });
    if (links !== undefined) void reply.header('Link', links);
    reportIgnoredSelection(reply, reader, page.select);
    return sendList(reply, list);
  });

  registerRecordReads(server, reading, readRecord);
  registerDescriptionRoutes(server, deps);
}

/** Registers reads of one record. */
function registerRecordReads(
  server: FastifyInstance,
  reading: ReadDeps,
  readRecord: ReadRecord,
): void {
  server.get<RecordRoute>('/api/v1/:entity/:id', read, async (request, reply) => {
    const query = await readRecordQuery(reading, request);
    const asOf = readAsOf(request.query);
    const { record, version } =
      asOf === undefined ? await readRecord(query) : await readPastRecord(reading, query, asOf);
    void reply.header('etag', toEntityTag(version));
    reportIgnoredSelection(reply, query, readSelect(readParameters(request.query)));
    if (isUnchanged(request.headers['if-none-match'], version)) return reply.code(304).send();
    return record;
  });

  server.get<RecordRoute>('/api/v1/:entity/:id/history', history, async (request, reply) => {
    const query = await readRecordQuery(reading, request);
    const parameters = readParameters(request.query);
    reportIgnoredForm(reply, parameters);
    return readHistory(reading, query, readPlainPage(parameters, 'desc'));
  });

  server.get<LinkRoute>('/api/v1/:entity/:id/:link', linked, async (request, reply) => {
    const query = { ...(await readRecordQuery(reading, request)), link: request.params.link };
    const page = readListRequest(request.query, undefined);
    const list = await listLinked(reading, query, page);
    const links = pageLinks({ ...page, url: request.url, list });
    if (links !== undefined) void reply.header('Link', links);
    reportIgnoredSelection(reply, linkedReader(reading, query), page.select);
    return sendList(reply, list);
  });
}

const greeting = describeRoute({
  id: 'Root_name',
  tag: 'This installation',
  summary: 'Identify the API',
  answer: { const: 'Annals REST API' },
  errors: always,
  isOpen: 'always',
});

const list = describeRoute({
  id: 'list{entity}',
  tag: '{entity}',
  summary: 'List records of {entity}',
  parameters: [...searchParameters, 'X-No-Total'],
  answer: recordsOf('{entity}'),
  headers: ['Link', 'X-Ignored-Attributes'],
  errors: listed,
  expand: { but: { Webhook: { errors: [...listed, 'webhook.forbidden'] } } },
});

const read = describeRoute({
  id: 'read{entity}',
  tag: '{entity}',
  summary: 'Read a record of {entity}',
  parameters: ['id', 'asOf', 'If-None-Match', 'X-Consistency-Token'],
  answer: refer('schemas', '{entity}'),
  headers: ['ETag', 'X-Ignored-Attributes'],
  errors: errorsOfRead,
  more: { 304: emptyAnswer('The client already has this version.', ['ETag']) },
  expand: { but: { Webhook: { errors: [...errorsOfRead, 'webhook.forbidden'] } } },
});

/** Attachments have a history and links, too, but their paths would clash with `/Attachment/file/{id}` in the document. */
const hasPathsBelow = ({ definition }: EntityModel) => definition.isFile !== true;

/** An entry of a record's history. */
const historyEntry: Part = objectOf(
  {
    version: { type: 'integer', minimum: 1 },
    type: { type: 'string', enum: ['created', 'updated', 'deleted', 'restored'] },
    at: { type: 'string', description: 'In UTC.', examples: ['2030-01-31 10:00:00'] },
    byId: nullableText,
    byName: nullableText,
    ...administrator,
    changes: {
      type: 'array',
      items: objectOf({ attribute: text, before: {}, after: {} }),
    },
  },
  ['version', 'type', 'at', 'byId', 'byName', 'changes'],
);

const history = describeRoute({
  id: 'historyOf{entity}',
  tag: '{entity}',
  summary: 'List the changes of a record of {entity}',
  parameters: ['id', 'order', 'asc', 'offset', 'maxSize', 'X-Consistency-Token'],
  schemas: { historyEntry },
  answer: pageOf(refer('schemas', 'historyEntry')),
  errors: [...errorsOfRead, 'list.too_large', 'parameter.unsupported'],
  expand: { isFor: hasPathsBelow },
});

const linked = describeRoute({
  id: 'list{entity}_{link}',
  tag: '{entity}',
  summary: 'List the records in the link {link} of a record of {entity}',
  parameters: ['id', ...searchParameters],
  answer: recordsOf('{target}'),
  headers: ['Link', 'X-Ignored-Attributes'],
  errors: [...listed, 'link.unknown', 'record.not_found'],
  expand: { isFor: hasPathsBelow, finds: '{target}' },
});
