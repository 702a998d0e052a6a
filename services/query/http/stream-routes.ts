import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import type { RecordQuery } from '../search/rows/require-readable.ts';
import { listFollowers } from '../stream/list-followers.ts';
import { listStreamAttachments } from '../stream/list-stream-attachments.ts';
import { readGlobalStream } from '../stream/read-global-stream.ts';
import { readOwnStream } from '../stream/read-own-stream.ts';
import { readRecordStream } from '../stream/read-record-stream.ts';
import { readListRequest } from './request/read-list-request.ts';
import { readPage, refuseFilters } from './request/read-page.ts';
import { readParameters } from './request/read-parameters.ts';
import { readStreamRequest } from './request/read-stream-request.ts';
import {
  followers,
  globalStream,
  ownStream,
  posts,
  recordStream,
  streamAttachments,
  updateStream,
} from './stream-schemas.ts';

type RecordParams = { readonly entity: string; readonly id: string };
type Query = Readonly<Record<string, unknown>>;

export interface RecordReads {
  readonly readActor: (request: FastifyRequest) => Promise<Actor>;
  /** The actor, and the record of the request. */
  readonly readRecordQuery: (
    request: FastifyRequest<{ Params: RecordParams }>,
  ) => Promise<RecordQuery>;
}

/** Streams, and the followers of a record (docs/reference/stream.md). */
export function registerStreamReads(
  server: FastifyInstance,
  search: SearchDeps,
  { readActor, readRecordQuery }: RecordReads,
): void {
  for (const [path, readStream, schema] of [
    ['Stream', readOwnStream, ownStream],
    ['GlobalStream', readGlobalStream, globalStream],
  ] as const) {
    server.get<{ Querystring: Query }>(`/api/v1/${path}`, schema, async (request) => {
      const actor = await readActor(request);
      const noTotal = request.headers['x-no-total'];
      return readStream(search, actor, readStreamRequest(request.query, noTotal));
    });
  }

  for (const [path, filter, schema] of [
    ['stream', undefined, recordStream],
    ['posts', 'posts', posts],
    ['updateStream', 'updates', updateStream],
  ] as const) {
    server.get<{ Params: RecordParams; Querystring: Query }>(
      `/api/v1/:entity/:id/${path}`,
      schema,
      async (request) => {
        const query = await readRecordQuery(request);
        const noTotal = request.headers['x-no-total'];
        return readRecordStream(search, query, readStreamRequest(request.query, noTotal, filter));
      },
    );
  }

  server.get<{ Params: RecordParams; Querystring: Query }>(
    '/api/v1/:entity/:id/streamAttachments',
    streamAttachments,
    async (request) => {
      const query = await readRecordQuery(request);
      return listStreamAttachments(search, query, readListRequest(request.query, undefined));
    },
  );

  server.get<{ Params: RecordParams; Querystring: Query }>(
    '/api/v1/:entity/:id/followers',
    followers,
    async (request) => {
      const query = await readRecordQuery(request);
      const parameters = readParameters(request.query);
      refuseFilters(parameters);
      return listFollowers(search, query, readPage(parameters));
    },
  );
}
