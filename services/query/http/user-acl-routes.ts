import type { FastifyInstance } from 'fastify';
import { effectiveAcl } from '../../../shared/domain/access/effective-acl.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { recordNotFound } from '../search/rows/require-readable.ts';
import type { RecordReads } from './stream-routes.ts';

/** `GET User/{id}/acl`: what a user may do, for themselves and for administrators. */
export function registerUserAcl(
  server: FastifyInstance,
  { directory }: { readonly directory: Directory },
  { readActor }: Pick<RecordReads, 'readActor'>,
): void {
  server.get<{ Params: { readonly id: string } }>('/api/v1/User/:id/acl', async (request) => {
    const actor = await readActor(request);
    const { id } = request.params;
    if (actor.type !== 'admin' && actor.id !== id) {
      throw new Refusal('forbidden', 'access.denied', 'No read access.');
    }
    const user = directory.record('User', id);
    if (user === undefined || user.deleted) throw recordNotFound(id);
    return effectiveAcl(directory.actor(user), directory);
  });
}
