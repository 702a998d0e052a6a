import type { FastifyInstance } from 'fastify';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import { createListUsersAccess } from '../search/users/list-users-access.ts';
import { readPage, refuseFilters } from './read-page.ts';
import { readParameters } from './read-parameters.ts';
import type { RecordReads } from './stream-routes.ts';

type RecordParams = { readonly entity: string; readonly id: string };
type Query = Readonly<Record<string, unknown>>;

/** `GET /{Entity}/{id}/usersAccess` (docs/reference/activities.md#who-may-do-what-with-a-record). */
export function registerUsersAccess(
  server: FastifyInstance,
  search: SearchDeps,
  { readRecordQuery }: RecordReads,
): void {
  const listUsersAccess = createListUsersAccess(search);
  server.get<{ Params: RecordParams; Querystring: Query }>(
    '/api/v1/:entity/:id/usersAccess',
    async (request) => {
      const query = await readRecordQuery(request);
      const parameters = readParameters(request.query);
      refuseFilters(parameters);
      return listUsersAccess(query, readPage(parameters));
    },
  );
}
