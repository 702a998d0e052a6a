import type { FastifyInstance } from 'fastify';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { streamed } from '../../../shared/http/describe/error-lists.ts';
import { flag, id, nullableText, pageOf, text } from '../../../shared/http/describe/schemas.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import { listUsersAccess } from '../search/users/list-users-access.ts';
import { readPage, refuseFilters } from './request/read-page.ts';
import { readParameters } from './request/read-parameters.ts';
import type { RecordReads } from './stream-routes.ts';

type RecordParams = { readonly entity: string; readonly id: string };
type Query = Readonly<Record<string, unknown>>;

/** `GET /{Entity}/{id}/usersAccess` (docs/reference/activities.md#who-may-do-what-with-a-record). */
export function registerUsersAccess(
  server: FastifyInstance,
  search: SearchDeps,
  { readRecordQuery }: RecordReads,
): void {
  server.get<{ Params: RecordParams; Querystring: Query }>(
    '/api/v1/:entity/:id/usersAccess',
    usersAccess,
    async (request) => {
      const query = await readRecordQuery(request);
      const parameters = readParameters(request.query);
      refuseFilters(parameters);
      return listUsersAccess(search, query, readPage(parameters));
    },
  );
}

const usersAccess = describeRoute({
  id: '{entity}_usersAccess',
  tag: '{entity}',
  summary: 'List who may do what with a record of {entity}',
  parameters: ['id', 'offset', 'maxSize', 'X-Consistency-Token'],
  answer: pageOf({
    type: 'object',
    properties: {
      id,
      name: nullableText,
      userName: text,
      type: { enum: ['admin', 'regular', 'api'] },
      read: { const: true },
      edit: flag,
      delete: flag,
      stream: flag,
    },
  }),
  errors: [...streamed, 'access.denied', 'entity.unknown', 'record.not_found'],
  expand: { isFor: ({ definition }) => definition.isObject },
});
