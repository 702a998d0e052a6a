import type { FastifyInstance } from 'fastify';
import { effectiveAcl } from '../../../shared/domain/access/effective-acl.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { reading } from '../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { objectOf } from '../../../shared/http/describe/schemas.ts';
import { noSuchRecord } from '../search/rows/require-readable.ts';
import type { RecordReads } from './stream-routes.ts';

/** `GET User/{id}/acl`: what a user may do, for themselves and for administrators. */
export function registerUserAcl(
  server: FastifyInstance,
  { directory }: { readonly directory: Directory },
  { readActor }: Pick<RecordReads, 'readActor'>,
): void {
  server.get<{ Params: { readonly id: string } }>(
    '/api/v1/User/:id/acl',
    userAcl,
    async (request) => {
      const actor = await readActor(request);
      const { id } = request.params;
      if (actor.type !== 'admin' && actor.id !== id) {
        throw new Refusal('forbidden', 'access.denied', 'No read access.');
      }
      const user = directory.record('User', id);
      if (user === undefined || user.deleted) throw noSuchRecord(id);
      return effectiveAcl(directory.actor(user), directory);
    },
  );
}

const level = { enum: ['yes', 'all', 'team', 'own', 'no'] };
const yesOrNo = { enum: ['yes', 'no'] };

/** The rights of a user: levels of scopes, closed fields, and permissions by name. */
const acl: Part = {
  ...objectOf({
    table: {
      type: 'object',
      additionalProperties: {
        anyOf: [{ type: 'boolean' }, { type: 'object', additionalProperties: level }],
      },
    },
    fieldTable: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: objectOf({ read: yesOrNo, edit: yesOrNo }),
      },
    },
    fieldTableQuickAccess: { type: 'object' },
  }),
  patternProperties: { Permission$: level },
};

const userAcl = describeRoute({
  id: 'User_acl',
  tag: 'User',
  summary: 'Tell what a user may do',
  description: 'For the user, and for administrators.',
  parameters: ['id', 'X-Consistency-Token'],
  schemas: { acl },
  answer: refer('schemas', 'acl'),
  errors: [...reading, 'access.denied', 'record.not_found'],
});
