import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { resolveEntity } from '../../../shared/http/entity-segment.ts';
import type { SecretBox } from '../../../shared/secrets/secret-box.ts';
import { createListRecords } from '../search/list-records.ts';
import { createPrepare } from '../search/prepare-statement.ts';
import { createReadRecord } from '../search/read-record.ts';
import { viewFor } from '../search/record-view.ts';
import type { Queryable } from '../search/run-statement.ts';
import { readListRequest } from './read-list-request.ts';

export interface QueryRouteDeps {
  /** From createPool: times and dates must come as text. */
  readonly pool: Queryable;
  readonly directory: Directory;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  readonly secrets: Pick<SecretBox, 'open'>;
}

type EntityParams = { readonly entity: string };
type Query = Readonly<Record<string, unknown>>;

/** Every route under /api/v1 that reads records. */
export function registerQueryRoutes(server: FastifyInstance, deps: QueryRouteDeps): void {
  const { pool, directory, authenticate, secrets } = deps;
  const search = { pool, directory, openSecret: secrets.open, prepare: createPrepare() };
  const listRecords = createListRecords(search);
  const readRecord = createReadRecord(search);

  server.get('/api/v1', (_request, reply) =>
    // A string by itself would go out as plain text.
    reply.type('application/json').send(JSON.stringify('Annals REST API')),
  );

  server.get<{ Params: EntityParams; Querystring: Query }>('/api/v1/:entity', async (request) => {
    const actor = await authenticate(request);
    const model = resolveEntity(directory, request.params.entity);
    const view = viewFor(actor, model);
    const page = readListRequest(request.query, request.headers['x-no-total']);
    return listRecords({ actor, model, view, request: page });
  });

  server.get<{ Params: EntityParams & { readonly id: string } }>(
    '/api/v1/:entity/:id',
    async (request, reply) => {
      const actor = await authenticate(request);
      const model = resolveEntity(directory, request.params.entity);
      const view = viewFor(actor, model);
      const { id } = request.params;
      const { record, version } = await readRecord({ actor, model, view, id });
      void reply.header('etag', `"v${version}"`);
      return record;
    },
  );
}
