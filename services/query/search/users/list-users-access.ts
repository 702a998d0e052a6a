import { liveTable, quotedColumn } from '../../../../shared/db/tables/read-model-names.ts';
import type { Right } from '../../../../shared/domain/access/access-table.ts';
import { type Actor, accessLevel } from '../../../../shared/domain/access/actor.ts';
import { isTeammate } from '../../../../shared/domain/access/is-teammate.ts';
import {
  ownerAttributes,
  ownershipOf,
  type RecordOwnership,
  reaches,
} from '../../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../../shared/domain/errors.ts';
import type { AttributeValue } from '../../../../shared/domain/value/attribute-values.ts';
import { ownParameter, withViewer } from '../../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../../shared/search/run-statement.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import {
  type RecordQuery,
  readableRow,
  requireId,
  requireReadableRow,
} from '../rows/require-readable.ts';
import { compareNames } from './compare-names.ts';

/** A user who may read a record, and their other rights to it. */
interface UserAccess {
  readonly id: string;
  readonly name: string | null;
  readonly userName: string;
  readonly type: Actor['type'];
  readonly read: true;
  readonly edit: boolean;
  readonly delete: boolean;
  readonly stream: boolean;
}

export type ListUsersAccess = (
  query: RecordQuery,
  page: { readonly offset: number; readonly maxSize: number },
) => Promise<{ readonly total: number; readonly list: readonly UserAccess[] }>;

/**
 * The active users who may read a record, by name, as far as the actor's permission `userPermission` reaches them: all
 * users, or those with a common team.
 */
export function createListUsersAccess(deps: SearchDeps): ListUsersAccess {
  const { directory } = deps;
  return async (query, { offset, maxSize }) => {
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
      .flatMap((user) => accessOf(user, model, ownership) ?? [])
      .toSorted((left, right) => compareNames(left, right));
    return { total: users.length, list: users.slice(offset, offset + maxSize) };
  };
}

/** Refuses just as a read of the record does. */
async function readOwners({ pool, prepare }: SearchDeps, query: RecordQuery): Promise<Row> {
  const { model, view, id } = query;
  requireId(id);
  const { owner, teams, readers } = ownerAttributes(model);
  const columns = [owner, teams, readers].flatMap((name) =>
    name === undefined ? [] : [`r.${quotedColumn({ name })} as "${name}"`],
  );
  const statement = prepare(
    withViewer(
      view,
      `select ${[...new Set(columns)].join(', ')}, r.deleted, ${readableRow(view, model)}` +
        ` from ${liveTable(model.name)} r where r.id = ${ownParameter(view)}`,
    ),
  );
  const [found] = await runStatement(pool, statement, [...view.viewer, id]);
  return requireReadableRow(query, found);
}

function reachOf(actor: Actor): (user: Actor) => boolean {
  const level = actor.permissions.user;
  if (level === 'all') return () => true;
  if (level === 'team') return (user) => isTeammate(actor, user);
  throw new Refusal('forbidden', 'access.denied', 'No permission to see what users may do.');
}

/** Undefined for users who may not read it. */
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
