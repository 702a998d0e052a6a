import type { EntityModel } from '../entity/model/entity-model.ts';
import { sourcesOf } from '../entity/model/field-sources.ts';
import { perActorAndModel } from '../entity/model/per-model.ts';
import { Refusal } from '../errors.ts';
import type { Attribute } from '../field/attribute.ts';
import type { RecordState } from '../record/record-state.ts';
import { toObject } from '../value/attribute-values.ts';
import { mapValues } from '../value/map-values.ts';
import {
  type AccessLevel,
  type AccessTable,
  betterLevel,
  isLevel,
  levelOf,
  mergeRoles,
  type Right,
} from './access-table.ts';

/** The user of a request and their permissions. Built in memory once per directory change. */
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

/**
 * Returns the level for a right. Administrators may do everything; for all others, the merged roles determine the
 * level.
 */
export function accessLevel(actor: Actor, scope: string, right: Right): AccessLevel {
  return actor.type === 'admin' ? 'all' : levelOf(actor.access, scope, right);
}

/** Returns the actor's level. Throws if the actor has no access to any record of the entity type. */
export function requireScope(actor: Actor, scope: string, right: Right): AccessLevel {
  const level = accessLevel(actor, scope, right);
  if (level === 'no') throw accessDenied(right);
  return level;
}

export function accessDenied(right: Right): Refusal {
  return new Refusal('forbidden', 'access.denied', `No ${right} access.`);
}

export function requireAdministrator({ type }: Actor): void {
  if (type === 'admin') return;
  throw new Refusal('forbidden', 'access.admin_only', 'Only administrators may do this.');
}

/** True if the actor has this scope, which has no levels (such as `Webhook`). Administrators have all such scopes. */
export function hasScope(actor: Actor, scope: string): boolean {
  return actor.type === 'admin' || actor.access.get(scope) === true;
}

/** The fields and attributes of an entity type that the actor may not read or may not set. */
interface Closed {
  /** Fields that are closed for reading, including fields derived from a closed field. */
  readonly read: ReadonlySet<string>;
  /** Attributes of other fields that are derived from a closed field. */
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
  { name, field }: Attribute,
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

interface FieldRights {
  readonly read: boolean;
  readonly edit: boolean;
}

/** Keyed by scope and field. A field that no role mentions can be read and edited. */
type FieldAccess = ReadonlyMap<string, ReadonlyMap<string, FieldRights>>;

/** Merges the `fieldData` of several roles: a field is open if any role that mentions it opens it. */
function mergeFieldAccess(roles: readonly RecordState[]): FieldAccess {
  const scopes = new Map<string, Map<string, FieldRights>>();
  for (const role of roles) {
    for (const [scope, granted] of Object.entries(toObject(role.values['fieldData']))) {
      const fields = scopes.get(scope) ?? new Map<string, FieldRights>();
      scopes.set(scope, fields);
      for (const [field, rights] of Object.entries(toObject(granted))) {
        fields.set(field, mostPermissive(fields.get(field), toRights(rights)));
      }
    }
  }
  return scopes;
}

function toRights(value: unknown): FieldRights {
  const { read, edit } = toObject(value);
  return { read: read !== 'no', edit: edit !== 'no' };
}

function mostPermissive(left: FieldRights | undefined, right: FieldRights): FieldRights {
  return { read: left?.read === true || right.read, edit: left?.edit === true || right.edit };
}

/** Permissions other than scopes, with an administrator's levels. Role attributes have the suffix `Permission`. */
const allPermissions = {
  assignment: 'all',
  message: 'all',
  mention: 'all',
  userCalendar: 'all',
  audit: 'yes',
  export: 'yes',
  massUpdate: 'yes',
  user: 'all',
  portal: 'yes',
  groupEmailAccount: 'all',
  followerManagement: 'all',
  dataPrivacy: 'yes',
  lock: 'yes',
} as const satisfies Readonly<Record<string, AccessLevel>>;

type Permissions = Readonly<Record<keyof typeof allPermissions, AccessLevel>>;

/** Returns the most permissive value per permission; `no` if no role sets it. */
function mergePermissions(roles: readonly RecordState[]): Permissions {
  return mapValues(allPermissions, (_, name) =>
    roles
      .map(({ values }) => values[`${name}Permission`])
      .filter(isLevel)
      .reduce<AccessLevel>(betterLevel, 'no'),
  );
}

/** Builds an actor from a user and all applicable roles: the user's own roles and the roles of the user's teams. */
export function buildActor(
  user: Omit<Actor, 'access' | 'fields' | 'permissions'>,
  roles: readonly RecordState[],
): Actor {
  const { type } = user;
  return {
    ...user,
    access: mergeRoles(roles),
    fields: mergeFieldAccess(roles),
    permissions: type === 'admin' ? allPermissions : mergePermissions(roles),
  };
}

interface Member {
  readonly id: string;
  readonly teamIds: readonly string[];
}

/** True if the permission level `team` covers the user: the user is the actor or shares a team with the actor. */
export function isTeammate(actor: Actor, { id, teamIds }: Member): boolean {
  return id === actor.id || teamIds.some((team) => actor.teamIds.includes(team));
}
