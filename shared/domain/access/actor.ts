import type { EntityModel } from '../entity/model/entity-model.ts';
import { sourcesOf } from '../entity/model/field-sources.ts';
import { perActorAndModel } from '../entity/model/per-model.ts';
import { Refusal } from '../errors.ts';
import type { Attribute } from '../field/attribute.ts';
import { type AccessLevel, type AccessTable, levelOf, type Right } from './access-table.ts';
import type { FieldAccess } from './field-access.ts';
import type { Permissions } from './permissions.ts';

/** The user of a request and their permissions. Built from memory once per change of the directory. */
export interface Actor {
  readonly id: string;
  readonly name: string;
  readonly userName: string;
  readonly type: 'admin' | 'regular' | 'api';
  readonly teamIds: readonly string[];
  /** One of `teamIds`: the team assigned to new records of this user. */
  readonly defaultTeamId?: string;
  readonly access: AccessTable;
  readonly fields: FieldAccess;
  readonly permissions: Permissions;
}

/** Administrators may do everything; for all others the merged roles decide. */
export function accessLevel(actor: Actor, scope: string, right: Right): AccessLevel {
  return actor.type === 'admin' ? 'all' : levelOf(actor.access, scope, right);
}

/** Throws if the actor has no access to any record of the entity type. Returns the level. */
export function requireScope(actor: Actor, scope: string, right: Right): AccessLevel {
  const level = accessLevel(actor, scope, right);
  if (level === 'no') throw accessDenied(right);
  return level;
}

export function accessDenied(right: Right): Refusal {
  return new Refusal('forbidden', 'access.denied', `No ${right} access.`);
}

export function requireAdministrator({ type }: Pick<Actor, 'type'>): void {
  if (type === 'admin') return;
  throw new Refusal('forbidden', 'access.admin_only', 'Only administrators may do this.');
}

/** True if the actor has a scope without levels (such as `Webhook`). Administrators have all of them. */
export function hasScope(actor: Actor, scope: string): boolean {
  return actor.type === 'admin' || actor.access.get(scope) === true;
}

/** The fields and attributes of an entity type that the actor may not read or may not set. */
interface Closed {
  /** Fields that are closed for reading, including those derived from a closed one. */
  readonly read: ReadonlySet<string>;
  /** Attributes of other fields that are derived from a closed one. */
  readonly readAttributes: ReadonlySet<string>;
  /** Fields that are closed for editing. */
  readonly edit: ReadonlySet<string>;
}

export function mayReadField(actor: Actor, model: EntityModel, field: string): boolean {
  return !closedFields(actor, model).read.has(field);
}

export function mayReadAttribute(
  actor: Actor,
  model: EntityModel,
  { name, field }: Pick<Attribute, 'name' | 'field'>,
): boolean {
  const { read, readAttributes } = closedFields(actor, model);
  return !read.has(field) && !readAttributes.has(name);
}

export function mayEditField(actor: Actor, model: EntityModel, field: string): boolean {
  return !closedFields(actor, model).edit.has(field);
}

/** Returns field names in the order of the definition. */
export const closedFields = perActorAndModel(findClosedFields);

function findClosedFields(actor: Actor, model: EntityModel): Closed {
  const none: ReadonlySet<string> = new Set();
  if (actor.type === 'admin') return { read: none, readAttributes: none, edit: none };
  const { name, fields, definition } = model;
  const rights = actor.fields.get(name);
  const isClosed = (field: string, right: 'read' | 'edit') =>
    fields.get(field)?.adminOnly === true ||
    rights?.get(field)?.[right] === false ||
    definition.openFields?.[right].includes(field) === false;
  const sources = sourcesOf(model);
  const isDerivedFromClosed = (of: ReadonlySet<string> | undefined) =>
    [...(of ?? [])].some((source) => isClosed(source, 'read'));
  const names = [...fields.keys()];
  return {
    read: new Set(
      names.filter((one) => isClosed(one, 'read') || isDerivedFromClosed(sources.ofField.get(one))),
    ),
    readAttributes: new Set(
      [...sources.ofAttribute]
        .filter(([, of]) => isDerivedFromClosed(of))
        .map(([attribute]) => attribute),
    ),
    edit: new Set(names.filter((one) => isClosed(one, 'edit'))),
  };
}
