import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CustomPrefix } from '../../../shared/config/http-settings.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { describeRoute, emptyAnswer } from '../../../shared/http/describe/describe-route.ts';
import { always, read as errorsOfRead, listed } from '../../../shared/http/describe/error-lists.ts';
import { searchParameters } from '../../../shared/http/describe/parameters.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import {
  nullableText,
  objectOf,
  pageOf,
  recordsOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { toEntityTag } from '../../../shared/http/entity-tag.ts';
import { type ReaderDeps, readActor } from '../../../shared/http/read-actor.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { type EntityDeps, resolveEntity } from '../../../shared/http/server/entity-segment.ts';
import type { Reads } from '../../../shared/search/open-reads.ts';
import type { SearchPool } from '../../../shared/search/open-search-pool.ts';
import { createPrepare } from '../../../shared/search/prepare-statement.ts';
import { viewFor } from '../../../shared/search/record-view.ts';
import type { Queryable } from '../../../shared/search/run-statement.ts';
import type { SecretBox } from '../../../shared/secrets/secret-box.ts';
import { readHistory } from '../search/history/read-history.ts';
import { readPastRecord } from '../search/history/read-past-record.ts';
import { listLinked } from '../search/links/list-linked.ts';
import { createCommonTrigrams } from '../search/list/common-trigrams.ts';
import { createListRecords } from '../search/list/list-records.ts';
import { createReadRecord, type ReadRecord } from '../search/record/read-record.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import { createReadPost } from '../stream/mark-posts.ts';
import { registerActivityRoutes } from './activity-routes.ts';
import { registerAppRoutes } from './app-routes.ts';
import { registerCalendars } from './calendar-routes.ts';
import { registerCurrencyRates } from './currency-routes.ts';
import { registerDeliveryRoutes } from './delivery-routes.ts';
import { type DescriptionRouteDeps, registerDescriptionRoutes } from './description-routes.ts';
import { registerFileRoutes } from './file-routes.ts';
import { registerGlobalSearch } from './global-search-routes.ts';
import { isUnchanged } from './is-unchanged.ts';
import { registerLayouts } from './layout-routes.ts';
import { pageLinks } from './page-links.ts';
import { readAsOf } from './request/read-as-of.ts';
import { readListRequest } from './request/read-list-request.ts';
import { readPage, refuseFilters } from './request/read-page.ts';
import { readParameters } from './request/read-parameters.ts';
import { type RecordReads, registerStreamReads } from './stream-routes.ts';
import { registerUserAcl } from './user-acl-routes.ts';
import { registerUsersAccess } from './users-access-routes.ts';

export interface QueryRouteDeps extends ReaderDeps, EntityDeps, DescriptionRouteDeps {
  /** From createPool, because times and dates must be read as text. */
  readonly pool: Queryable;
  readonly searchPool: SearchPool;
  /** Where a replica may answer; by default the two above. */
  readonly reads?: Reads;
  readonly directory: Directory;
  readonly secrets: Pick<SecretBox, 'tryOpen'>;
  readonly customPrefix: CustomPrefix;
}

type EntityParams = { readonly entity: string };
type RecordParams = EntityParams & { readonly id: string };
type LinkParams = RecordParams & { readonly link: string };
type Query = Readonly<Record<string, unknown>>;

/** Every route that reads, but for exports: those write files, too. */
export function registerQueryRoutes(server: FastifyInstance, deps: QueryRouteDeps): void {
  const { pool, searchPool, reads = { pool, searchPool }, directory, secrets } = deps;
  const search = {
    ...reads,
    directory,
    openSecret: secrets.tryOpen,
    prepare: createPrepare(),
    findCommonTrigrams: createCommonTrigrams(searchPool),
  };
  const listRecords = createListRecords(search);
  const readRecord = createReadPost(search, createReadRecord(search));

  registerFileRoutes(server, { pool, readRecord }, async (request, entity) =>
    readReader(deps, request, entity),
  );
  registerAppRoutes(server, deps);
  registerLayouts(server, directory, async (request, entity) => readReader(deps, request, entity));
  registerDeliveryRoutes(server, deps);
  registerGlobalSearch(server, { ...deps, ...search });
  registerReadsAround(server, search, recordReads(deps));
  server.get('/api/v1', greeting, (_request, reply) => sendJson(reply, 'Annals REST API'));

  server.get<{ Params: EntityParams; Querystring: Query }>(
    '/api/v1/:entity',
    list,
    async (request, reply) => {
      const reader = await readReader(deps, request, request.params.entity);
      const page = readListRequest(request.query, request.headers['x-no-total']);
      const list = await listRecords({ ...reader, request: page });
      const links = pageLinks({ ...page, url: request.url, list });
      if (links !== undefined) void reply.header('Link', links);
      return list;
    },
  );

  registerRecordReads(server, deps, { ...search, readRecord });
  registerDescriptionRoutes(server, deps);
}

/** Reads of one record. */
function registerRecordReads(
  server: FastifyInstance,
  deps: QueryRouteDeps,
  { readRecord, ...search }: SearchDeps & { readonly readRecord: ReadRecord },
): void {
  server.get<{ Params: RecordParams; Querystring: Query }>(
    '/api/v1/:entity/:id',
    read,
    async (request, reply) => {
      const query = {
        ...(await readReader(deps, request, request.params.entity)),
        id: request.params.id,
      };
      const asOf = readAsOf(request.query);
      const { record, version } =
        asOf === undefined ? await readRecord(query) : await readPastRecord(search, query, asOf);
      void reply.header('etag', toEntityTag(version));
      if (isUnchanged(request.headers['if-none-match'], version)) return reply.code(304).send();
      return record;
    },
  );

  server.get<{ Params: RecordParams; Querystring: Query }>(
    '/api/v1/:entity/:id/history',
    history,
    async (request) => {
      const query = {
        ...(await readReader(deps, request, request.params.entity)),
        id: request.params.id,
      };
      const parameters = readParameters(request.query);
      refuseFilters(parameters);
      const { direction = 'desc', ...page } = readPage(parameters);
      return readHistory(search, query, { ...page, direction });
    },
  );

  server.get<{ Params: LinkParams; Querystring: Query }>(
    '/api/v1/:entity/:id/:link',
    linked,
    async (request, reply) => {
      const { id, link } = request.params;
      const query = { ...(await readReader(deps, request, request.params.entity)), id, link };
      const page = readListRequest(request.query, undefined);
      const list = await listLinked(search, query, page);
      const links = pageLinks({ ...page, url: request.url, list });
      if (links !== undefined) void reply.header('Link', links);
      return list;
    },
  );
}

/** Reads around records. */
function registerReadsAround(
  server: FastifyInstance,
  search: SearchDeps,
  reads: RecordReads,
): void {
  registerStreamReads(server, search, reads);
  registerUsersAccess(server, search, reads);
  registerUserAcl(server, search, reads);
  registerActivityRoutes(server, search, reads);
  registerCalendars(server, search, reads);
  registerCurrencyRates(server, search, reads);
}

/** The actor of a request, and the record if it is about one. */
function recordReads(deps: QueryRouteDeps): RecordReads {
  return {
    readActor: async (request) => readActor(deps, request),
    readRecordQuery: async (request) => ({
      ...(await readReader(deps, request, request.params.entity)),
      id: request.params.id,
    }),
  };
}

/** The actor, the entity type, and the actor's view of it. */
async function readReader(deps: QueryRouteDeps, request: FastifyRequest, entity: string) {
  const actor = await readActor(deps, request);
  const model = await resolveEntity(deps, entity);
  return { actor, model, view: viewFor(actor, model, deps.directory.entity) };
}

const greeting = describeRoute({
  id: 'Root_name',
  tag: 'This installation',
  summary: 'Tell what API this is',
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
  headers: ['Link'],
  errors: listed,
  expand: { but: { Webhook: { errors: [...listed, 'webhook.forbidden'] } } },
});

const read = describeRoute({
  id: 'read{entity}',
  tag: '{entity}',
  summary: 'Read a record of {entity}',
  parameters: ['id', 'asOf', 'If-None-Match', 'X-Consistency-Token'],
  answer: refer('schemas', '{entity}'),
  headers: ['ETag'],
  errors: errorsOfRead,
  more: { 304: emptyAnswer('The client has this version.', ['ETag']) },
  expand: { but: { Webhook: { errors: [...errorsOfRead, 'webhook.forbidden'] } } },
});

/** Attachments have history and links, too, but in the document these would clash with `/Attachment/file/{id}`. */
const hasPathsBelow = ({ definition }: EntityModel) => definition.isFile !== true;

/** An entry of a record's history. */
const historyEntry: Part = objectOf({
  version: { type: 'integer', minimum: 1 },
  type: { type: 'string', enum: ['created', 'updated', 'deleted', 'restored'] },
  at: { type: 'string', description: 'In UTC.', examples: ['2030-01-31 10:00:00'] },
  byId: nullableText,
  byName: nullableText,
  changes: {
    type: 'array',
    items: objectOf({ attribute: text, before: {}, after: {} }),
  },
});

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
  summary: 'List what {link} of a record of {entity} links to',
  parameters: ['id', ...searchParameters],
  answer: recordsOf('{target}'),
  headers: ['Link'],
  errors: [...listed, 'link.unknown', 'record.not_found'],
  expand: { isFor: hasPathsBelow, finds: '{target}' },
});
