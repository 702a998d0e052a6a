import type { FastifyInstance } from 'fastify';
import { quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import type { Right } from '../../../shared/domain/access/access-table.ts';
import { type Actor, accessLevel, isTeammate } from '../../../shared/domain/access/actor.ts';
import { effectiveAcl } from '../../../shared/domain/access/effective-acl.ts';
import {
  ownerAttributes,
  ownershipOf,
  type RecordOwnership,
  reaches,
} from '../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { missing, reading, streamed } from '../../../shared/http/describe/error-lists.ts';
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
import type { Row } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import { readFixedPage } from '../request/read-page.ts';
import { readParameters } from '../request/read-parameters.ts';
import { type IdRoute, type RecordRoute, readRecordQuery } from '../request/read-reader.ts';
import { type Page, pageByName } from '../rows/page.ts';
import { noSuchRecord, type RecordQuery, readRow } from '../rows/require-readable.ts';

/**
 * Registers `GET /{Entity}/{id}/usersAccess` (docs/reference/activities.md#who-may-do-what-with-a-record) and `GET
 * User/{id}/acl`, which returns the permissions of a user to that user and to administrators.
 */
export function registerAccessRoutes(server: FastifyInstance, context: QueryContext): void {
  const { directory } = context;

  server.get<RecordRoute>(
    '/api/v1/:entity/:id/usersAccess',
    usersAccess,
    async (request, reply) => {
      const query = await readRecordQuery(context, request);
      const page = readFixedPage(readParameters(request.query), reply);
      return listUsersAccess(context, query, page);
    },
  );

  server.get<IdRoute>('/api/v1/User/:id/acl', userAcl, async (request) => {
    const actor = await readActor(context, request);
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
  errors: [...streamed, 'access.denied', 'entity.unknown', ...missing],
  expand: { isFor: ({ definition }) => definition.isObject },
});

const level = { enum: ['yes', 'all', 'team', 'own', 'no'] };
const yesOrNo = { enum: ['yes', 'no'] };

/** A user's permissions: scope levels, hidden fields, and permissions by name. */
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
  errors: [...reading, 'access.denied', ...missing],
});

/**
 * Lists the active users who may read a record, sorted by name. The actor's `userPermission` determines whether all
 * users are listed, or only users who share a team with the actor.
 */
async function listUsersAccess(context: QueryContext, query: RecordQuery, page: Page) {
  const { directory } = context;
  const { actor, model, id } = query;
  if (!model.definition.isObject) {
    throw new Refusal('not_found', 'link.unknown', 'Link does not exist.');
  }
  const row = await readOwners(context, query);
  const isReached = reachOf(actor);
  const ownership = ownershipOf(model, id, row as Readonly<Record<string, AttributeValue>>);
  const users = directory
    .records('User')
    .filter(({ deleted, values }) => !deleted && values['isActive'] === true)
    .map((user) => directory.actor(user))
    .filter((user) => isReached(user))
    .flatMap((user) => accessOf(user, model, ownership) ?? []);
  return pageByName(users, page);
}

/** Throws the same refusals as a read of the record. */
async function readOwners(context: QueryContext, query: RecordQuery): Promise<Row> {
  const { owner, teams, readers } = ownerAttributes(query.model);
  const columns = [owner, teams, readers].flatMap((name) =>
    name === undefined ? [] : [`r.${quotedColumn({ name })} as "${name}"`],
  );
  return readRow(context, query, [...new Set(columns)].join(', '));
}

function reachOf(actor: Actor): (user: Actor) => boolean {
  const level = actor.permissions.user;
  if (level === 'all') return () => true;
  if (level === 'team') return (user) => isTeammate(actor, user);
  throw new Refusal('forbidden', 'access.denied', 'No permission to see the permissions of users.');
}

/** Returns undefined for users who may not read the record. */
function accessOf(user: Actor, model: EntityModel, ownership: RecordOwnership) {
  const may = (right: Right) =>
    reaches(accessLevel(user, model.name, right), right, { actor: user, ownership });
  if (!may('read')) return undefined;
  const { id, name, userName, type } = user;
  const stream = model.definition.hasStream === true && may('stream');
  return { id, name, userName, type, read: true, edit: may('edit'), delete: may('delete'), stream };
}
