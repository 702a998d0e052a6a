import type { EntityModel } from '../entity/entity-model.ts';
import { perActorAndModel } from '../entity/per-model.ts';
import { Refusal } from '../errors.ts';
import { type AccessAction, type AccessLevel, type AccessTable, levelOf } from './access-table.ts';
import type { FieldAccess } from './field-access.ts';
import type { Permissions } from './permissions.ts';

/** The user of a request and their rights. Built from memory, once per change of the directory. */
export interface Actor {
  readonly id: string;
  readonly name: string;
  readonly userName: string;
  readonly type: 'admin' | 'regular' | 'api';
  readonly teamIds: readonly string[];
  /** One of `teamIds`: the team of the records that they create. */
  readonly defaultTeamId?: string;
  readonly access: AccessTable;
  readonly fields: FieldAccess;
  readonly permissions: Permissions;
}

/** Administrators may do everything; the merged roles decide for all others. */
export function accessLevel(actor: Actor, scope: string, action: AccessAction): AccessLevel {
  return actor.type === 'admin' ? 'all' : levelOf(actor.access, scope, action);
}

/** Throws unless the actor may do this with some records of the entity type. Returns the level. */
export function requireScope(actor: Actor, scope: string, action: AccessAction): AccessLevel {
  const level = accessLevel(actor, scope, action);
  if (level === 'no') throw accessDenied(action);
  return level;
}

function accessDenied(action: AccessAction): Refusal {
  return new Refusal('forbidden', 'access.denied', `No ${action} access.`);
}

export function requireAdministrator({ type }: Pick<Actor, 'type'>): void {
  if (type === 'admin') return;
  throw new Refusal('forbidden', 'access.admin_only', 'Only administrators may do this.');
}

/** A scope that is granted or not, without levels (`Webhook`). Administrators have every one. */
export function hasScope(actor: Actor, scope: string): boolean {
  return actor.type === 'admin' || actor.access.get(scope) === true;
}

/** The fields of an entity type that the actor may not read, or may not set. */
interface ClosedFields {
  readonly read: ReadonlySet<string>;
  readonly edit: ReadonlySet<string>;
}

export function mayReadField(actor: Actor, model: EntityModel, field: string): boolean {
  return !closedFields(actor, model).read.has(field);
}

export function mayEditField(actor: Actor, model: EntityModel, field: string): boolean {
  return !closedFields(actor, model).edit.has(field);
}

/** By name, in the order of the definition. */
export const closedFields = perActorAndModel(findClosedFields);

function findClosedFields(actor: Actor, { name, fields }: EntityModel): ClosedFields {
  if (actor.type === 'admin') return { read: new Set(), edit: new Set() };
  const rights = actor.fields.get(name);
  const closed = (action: 'read' | 'edit') =>
    new Set(
      [...fields]
        .filter(
          ([field, { adminOnly }]) => adminOnly === true || rights?.get(field)?.[action] === false,
        )
        .map(([field]) => field),
    );
  return { read: closed('read'), edit: closed('edit') };
}
