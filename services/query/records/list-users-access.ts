import { quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import type { Right } from '../../../shared/domain/access/access-table.ts';
import { type Actor, accessLevel, isTeammate } from '../../../shared/domain/access/actor.ts';
import {
  ownerAttributes,
  ownershipOf,
  type RecordOwnership,
  reaches,
} from '../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import type { Page, PageOf } from '../lists/list-request.ts';
import { pageByName } from '../lists/page-by-name.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { type RecordQuery, readRow } from '../rows/require-readable.ts';

/** A user who may read a record, and what the user may do with it. */
type UserAccess = Pick<Actor, 'id' | 'name' | 'userName' | 'type'> &
  Readonly<Record<'read' | 'edit' | 'delete' | 'stream', boolean>>;

/**
 * Lists the active users who may read a record, by name. The actor's `userPermission` decides whether all users are listed or
 * only those with a common team.
 */
export async function listUsersAccess(
  deps: SearchDeps,
  query: RecordQuery,
  page: Page,
): Promise<PageOf<UserAccess>> {
  const { directory } = deps;
  const { actor, model, id } = query;
  if (!model.definition.isObject) {
    throw new Refusal('not_found', 'link.unknown', 'Link does not exist.');
  }
  const row = await readOwners(deps, query);
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
async function readOwners(deps: SearchDeps, query: RecordQuery): Promise<Row> {
  const { owner, teams, readers } = ownerAttributes(query.model);
  const columns = [owner, teams, readers].flatMap((name) =>
    name === undefined ? [] : [`r.${quotedColumn({ name })} as "${name}"`],
  );
  return readRow(deps, query, [...new Set(columns)].join(', '));
}

function reachOf(actor: Actor): (user: Actor) => boolean {
  const level = actor.permissions.user;
  if (level === 'all') return () => true;
  if (level === 'team') return (user) => isTeammate(actor, user);
  throw new Refusal('forbidden', 'access.denied', 'No permission to see the permissions of users.');
}

/** Returns undefined for users who may not read the record. */
function accessOf(
  user: Actor,
  model: EntityModel,
  ownership: RecordOwnership,
): UserAccess | undefined {
  const may = (right: Right) =>
    reaches(accessLevel(user, model.name, right), right, { actor: user, ownership });
  if (!may('read')) return undefined;
  const { id, name, userName, type } = user;
  const hasStream = model.definition.hasStream === true;
  return {
    id,
    name,
    userName,
    type,
    read: true,
    edit: may('edit'),
    delete: may('delete'),
    stream: hasStream && may('stream'),
  };
}
