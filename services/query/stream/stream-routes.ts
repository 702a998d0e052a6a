import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { loginUserType } from '../../../shared/domain/login/auth-token.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { readListRequest } from '../lists/read-list-request.ts';
import { readPlainPage } from '../request/read-page.ts';
import { readParameters } from '../request/read-parameters.ts';
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
import { listFollowers } from './list-followers.ts';
import { listStreamAttachments } from './list-stream-attachments.ts';
import { readGlobalStream } from './read-global-stream.ts';
import { readOwnStream, readUserStream } from './read-own-stream.ts';
import { readRecordStream } from './read-record-stream.ts';
import { readStreamRequest } from './read-stream-request.ts';
import {
  followers,
  globalStream,
  ownStream,
  posts,
  recordStream,
  streamAttachments,
  updateStream,
} from './stream-schemas.ts';

/** Registers streams and the followers of a record (docs/reference/stream.md). */
export function registerStreamReads(server: FastifyInstance, deps: ReadDeps): void {
  for (const [path, readStream, schema] of [
    ['Stream', readOwnStream, ownStream],
    ['GlobalStream', readGlobalStream, globalStream],
  ] as const) {
    server.get<QueryRoute>(`/api/v1/${path}`, schema, async (request, reply) => {
      const actor = await readActor(deps, request);
      const streamRequest = readStreamRequest(request.query, request.headers['x-no-total']);
      if (path === 'GlobalStream') requireGranted(actor, path);
      reportIgnoredForm(reply, readParameters(request.query));
      return readStream(deps, actor, streamRequest);
    });
  }

  for (const [path, filter, schema] of [
    ['stream', undefined, recordStream],
    ['posts', 'posts', posts],
    ['updateStream', 'updates', updateStream],
  ] as const) {
    server.get<RecordRoute>(`/api/v1/:entity/:id/${path}`, schema, async (request, reply) => {
      const query = await readRecordQuery(deps, request);
      if (path === 'updateStream') requireAudit(query.actor);
      const noTotal = request.headers['x-no-total'];
      reportIgnoredForm(reply, readParameters(request.query));
      const isOfUser = path !== 'updateStream' && query.model.name === loginUserType;
      const readStream = isOfUser ? readUserStream : readRecordStream;
      return readStream(deps, query, readStreamRequest(request.query, noTotal, filter));
    });
  }

  server.get<RecordRoute>(
    '/api/v1/:entity/:id/streamAttachments',
    streamAttachments,
    async (request, reply) => {
      const query = await readRecordQuery(deps, request);
      const page = readListRequest(request.query, undefined);
      const list = await listStreamAttachments(deps, query, page);
      reportIgnoredSelection(reply, readerOf(deps, query.actor, attachmentType), page.select);
      return sendList(reply, list);
    },
  );

  server.get<RecordRoute>('/api/v1/:entity/:id/followers', followers, async (request, reply) => {
    const query = await readRecordQuery(deps, request);
    const parameters = readParameters(request.query);
    reportIgnoredForm(reply, parameters);
    return listFollowers(deps, query, readPlainPage(parameters));
  });
}

function requireAudit({ permissions }: Actor): void {
  if (permissions.audit === 'yes') return;
  throw new Refusal('forbidden', 'access.denied', 'No audit permission.');
}
