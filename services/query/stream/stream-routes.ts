import type { FastifyInstance } from 'fastify';
import { followingColumn } from '../../../shared/db/sql/following-column.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { loginUserType } from '../../../shared/domain/login/auth-token.ts';
import {
  type FollowingFacts,
  followerIds,
  openFacts,
} from '../../../shared/domain/stream/following.ts';
import { numberAt } from '../../../shared/domain/stream/stream-number.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { readTime } from '../../../shared/http/read-time.ts';
import { type Reader, viewFor } from '../../../shared/search/record-view.ts';
import { runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import { readListRequest } from '../lists/read-list-request.ts';
import { searchRecords } from '../lists/search-records.ts';
import { readCount, readFixedPage, readPlainPage } from '../request/read-page.ts';
import {
  badParameter,
  last,
  type Parameters,
  type Query,
  readParameters,
} from '../request/read-parameters.ts';
import {
  type QueryRoute,
  type RecordRoute,
  readRecordQuery,
  requireGranted,
} from '../request/read-reader.ts';
import { reportIgnoredForm } from '../request/report-ignored-selection.ts';
import { sendList } from '../request/send-list.ts';
import { pageByName } from '../rows/page.ts';
import { noteTable } from './post-items.ts';
import { readOwnStream, readUserStream } from './read-own-stream.ts';
import { openStream, readRecordStream } from './read-record-stream.ts';
import { readGlobalStream } from './read-several-streams.ts';
import type { StreamRequest } from './stream-item.ts';
import {
  followers,
  globalStream,
  ownStream,
  posts,
  recordStream,
  streamAttachments,
  updateStream,
} from './stream-schemas.ts';

/** Registers the routes for streams and for the followers of a record (docs/reference/stream.md). */
export function registerStreamReads(server: FastifyInstance, context: QueryContext): void {
  const { directory, prepare, searchPool } = context;
  for (const [path, readStream, schema] of [
    ['Stream', readOwnStream, ownStream],
    ['GlobalStream', readGlobalStream, globalStream],
  ] as const) {
    server.get<QueryRoute>(`/api/v1/${path}`, schema, async (request, reply) => {
      const actor = await readActor(context, request);
      const streamRequest = readStreamRequest(request.query, request.headers['x-no-total']);
      if (path === 'GlobalStream') requireGranted(actor, path);
      reportIgnoredForm(reply, readParameters(request.query));
      return readStream(context, actor, streamRequest);
    });
  }

  for (const [path, filter, schema] of [
    ['stream', undefined, recordStream],
    ['posts', 'posts', posts],
    ['updateStream', 'updates', updateStream],
  ] as const) {
    server.get<RecordRoute>(`/api/v1/:entity/:id/${path}`, schema, async (request, reply) => {
      const query = await readRecordQuery(context, request);
      if (path === 'updateStream') requireAudit(query.actor);
      const noTotal = request.headers['x-no-total'];
      reportIgnoredForm(reply, readParameters(request.query));
      const isOfUser = path !== 'updateStream' && query.model.name === loginUserType;
      const readStream = isOfUser ? readUserStream : readRecordStream;
      return readStream(context, query, readStreamRequest(request.query, noTotal, filter));
    });
  }

  server.get<RecordRoute>(
    '/api/v1/:entity/:id/streamAttachments',
    streamAttachments,
    async (request, reply) => {
      const query = await readRecordQuery(context, request);
      const page = readListRequest(request.query, undefined);
      const { actor, model, id } = query;
      await openStream(context, query, 'r.id');
      const rows = await runStatement(searchPool.of(actor), prepare(filesText), [id, model.name]);
      const reader = attachmentReader(context, actor);
      const list = await searchRecords(context, {
        ...reader,
        request: { ...page, withTotal: true },
        ids: rows.map((row) => String(row['id'])),
      });
      return sendList(reply, list, { ...reader, ...page });
    },
  );

  server.get<RecordRoute>('/api/v1/:entity/:id/followers', followers, async (request, reply) => {
    const query = await readRecordQuery(context, request);
    const page = readFixedPage(readParameters(request.query), reply);
    const facts = followingColumn(query.model, 'r', undefined);
    const row = await openStream(context, query, `${facts} as following`);
    const ids = followerIds(openFacts(row['following'] as FollowingFacts, query));
    const users = ids.flatMap((id) => {
      const user = directory.record('User', id);
      if (user === undefined || user.deleted) return [];
      return [{ id, name: textOrNull(user.values['name']) }];
    });
    return pageByName(users, page);
  });
}

/** Maximum number of files listed from one stream. The remaining files are available through the posts. */
const MAX_FILES = 5_000;

const filesText = `select distinct unnest(n.attachments_ids) as id from ${noteTable} n
  where not n.deleted and n.parent_id = $1 and n.parent_type = $2 order by id desc limit ${MAX_FILES}`;

function attachmentReader({ directory }: QueryContext, actor: Actor): Reader {
  const model = directory.entity(attachmentType);
  if (model === undefined) throw new Error('The entity type Attachment is not defined.');
  return { actor, model, view: viewFor(actor, model, directory.entity) };
}

function requireAudit({ permissions }: Actor): void {
  if (permissions.audit === 'yes') return;
  throw new Refusal('forbidden', 'access.denied', 'No audit permission.');
}

type Filter = StreamRequest['filter'];

/**
 * Beyond this depth, clients use `beforeNumber`, which is looked up directly. An offset has to be counted from the top.
 */
const MAX_DEPTH = 5_000;

/**
 * Reads the requested part of a stream from a query (docs/reference/stream.md). `filter` is set if the path determines
 * it.
 */
export function readStreamRequest(
  query: Query,
  noTotal: string | string[] | undefined,
  filter?: Filter,
): StreamRequest {
  const parameters = readParameters(query);
  const { offset, maxSize } = readPlainPage(parameters);
  if (offset + maxSize > MAX_DEPTH) {
    const bound = `offset and maxSize together must be at most ${MAX_DEPTH}`;
    throw badParameter(`${bound}. Use beforeNumber to continue after an item.`);
  }
  return {
    offset,
    maxSize,
    withTotal: String(noTotal).toLowerCase() !== 'true',
    filter: filter ?? readFilter(parameters),
    from: readAfter(parameters),
    below:
      readCount(parameters, 'beforeNumber', 'the number of an item') ?? Number.POSITIVE_INFINITY,
    skipOwn: readSkipOwn(parameters),
  };
}

function readFilter(parameters: Parameters): Filter {
  const filter = last(parameters, 'filter') ?? 'all';
  if (filter === 'all' || filter === 'posts' || filter === 'updates') return filter;
  throw badParameter(`filter must be one of all, posts, updates, not '${filter.slice(0, 50)}'.`);
}

/** Items show their time in seconds, so items after a time are items from a later second. */
function readAfter(parameters: Parameters): number {
  const after = last(parameters, 'after');
  if (after === undefined) return 0;
  const second = Math.floor(readTime(after, 'after') / 1_000);
  return Math.max(numberAt((second + 1) * 1_000), 0);
}

function readSkipOwn(parameters: Parameters): boolean {
  const text = last(parameters, 'skipOwn')?.toLowerCase() ?? 'false';
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw badParameter(`skipOwn must be true or false, not '${text.slice(0, 50)}'.`);
}
