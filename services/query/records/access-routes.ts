import type { FastifyInstance } from 'fastify';
import { effectiveAcl } from '../../../shared/domain/access/effective-acl.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { reading, streamed } from '../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import {
  flag,
  id,
  nullableText,
  objectOf,
  pageOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { readPlainPage } from '../request/read-page.ts';
import { readParameters } from '../request/read-parameters.ts';
import {
  type IdRoute,
  type ReadDeps,
  type RecordRoute,
  readRecordQuery,
} from '../request/read-reader.ts';
import { reportIgnoredForm } from '../request/report-ignored-selection.ts';
import { noSuchRecord } from '../rows/require-readable.ts';
import { listUsersAccess } from './list-users-access.ts';

/**
 * Registers `GET /{Entity}/{id}/usersAccess` (docs/reference/activities.md#who-may-do-what-with-a-record) and `GET
 * User/{id}/acl`, which returns the permissions of a user to that user and to administrators.
 */
export function registerAccessRoutes(server: FastifyInstance, deps: ReadDeps): void {
  const { directory } = deps;

  server.get<RecordRoute>(
    '/api/v1/:entity/:id/usersAccess',
    usersAccess,
    async (request, reply) => {
      const query = await readRecordQuery(deps, request);
      const parameters = readParameters(request.query);
      reportIgnoredForm(reply, parameters);
      return listUsersAccess(deps, query, readPlainPage(parameters));
    },
  );

  server.get<IdRoute>('/api/v1/User/:id/acl', userAcl, async (request) => {
    const actor = await readActor(deps, request);
    const { id } = request.params;
    if (actor.type !== 'admin' && actor.id !== id) {
      throw new Refusal('forbidden', 'access.denied', 'No read access.');
    }
    const user = directory.record('User', id);
    if (user === undefined || user.deleted) throw noSuchRecord(id);
    return effectiveAcl(directory.actor(user), directory);
  });
}

const usersAccess = describeRoute({
  id: '{entity}_usersAccess',
  tag: '{entity}',
  summary: 'List the users who may read a record of {entity}, with their permissions',
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

const level = { enum: ['yes', 'all', 'team', 'own', 'no'] };
const yesOrNo = { enum: ['yes', 'no'] };

/** The permissions of a user: levels of scopes, hidden fields, and permissions by name. */
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
  summary: 'Read the permissions of a user',
  description: 'For the user and for administrators.',
  parameters: ['id', 'X-Consistency-Token'],
  schemas: { acl },
  answer: refer('schemas', 'acl'),
  errors: [...reading, 'access.denied', 'record.not_found'],
});
