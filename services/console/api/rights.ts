import { useMemo } from 'react';
import type { Entity } from './metadata.ts';
import type { AnyRecord } from './records.ts';
import { type AppUser, useUser } from './session.ts';

/** The user's permissions for an entity type. They may be narrower for a single record. */
export interface Rights {
  may(action: 'create' | 'delete' | 'edit' | 'read'): boolean;
  mayEditField(field: string): boolean;
  readonly massUpdate: boolean;
  readonly export: boolean;
}

export function useRights(entity: string): Rights {
  const user = useUser();
  return useMemo(() => rightsOf(user, entity), [user, entity]);
}

/** Like useRights, for entity types that are not known when the hook is called. */
export function useRightsOf(): (entity: string) => Rights {
  const user = useUser();
  return (entity) => rightsOf(user, entity);
}

/** True if the user administers the installation. */
export function isAdministrator({ user }: AppUser): boolean {
  return user.isAdmin;
}

/** True if the user may change records of one of the entity types. */
export function mayChangeRecords({ acl }: AppUser, types: readonly string[]): boolean {
  const actions = ['create', 'edit', 'delete'];
  return types.some((type) => actions.some((action) => levelIn(acl.table[type], action) !== 'no'));
}

/** True if the user may see the users of the installation. */
export function mayReadUsers(session: AppUser): boolean {
  return rightsOf(session, 'User').may('read');
}

/** True if the user may see which users have a picture. */
export function mayReadPictures(session: AppUser): boolean {
  return mayReadUsers(session) && session.acl.fieldTable['User']?.['avatar']?.read !== 'no';
}

/** True if the user may read calendars, for which the user also needs an entity type of activities. */
export function mayReadCalendars({ acl }: AppUser): boolean {
  return acl.table['Calendar'] === true;
}

/** True if the user may read the calendars of others: of all, or of members of the user's teams. */
export function mayReadCalendarsOfOthers({ acl }: AppUser): boolean {
  const level = acl['userCalendarPermission'];
  return level === 'all' || level === 'team';
}

/** True if the user may import files. */
export function mayImport({ acl }: AppUser): boolean {
  return acl.table['Import'] === true;
}

/** True if the user may read the description of the API: administrators, and users with a role for developers. */
export function mayReadApiDescription({ acl }: AppUser): boolean {
  return acl.table['OpenApi'] === true;
}

type Level = 'all' | 'no' | 'own' | 'team';

/** A right for one record. `level` is the user's level for the entity type. */
export interface RecordRight {
  readonly isGranted: boolean;
  readonly level: Level;
}

/** Returns the user's rights to change and to delete one record, and to see its stream. */
export function useRecordRights(entity: Entity, record: AnyRecord) {
  const session = useUser();
  return useMemo(
    () => ({
      edit: recordRight(session, { entity, record, action: 'edit' }),
      delete: recordRight(session, { entity, record, action: 'delete' }),
      stream: recordRight(session, { entity, record, action: 'stream' }),
    }),
    [session, entity, record],
  );
}

/** Returns the attributes of a record that decide whether the user may edit it. */
export function useDecidingAttributes({ name, owner, teams }: Entity): readonly string[] {
  const level = levelIn(useUser().acl.table[name], 'edit');
  const attributes = level === 'own' ? [owner] : level === 'team' ? [owner, teams] : [];
  return attributes.filter((one) => one !== undefined);
}

/**
 * Returns a right for a record, according to the rules in docs/reference/access.md. If the user cannot read the
 * attribute that decides, the right is assumed to be granted, because the server checks it anyway.
 */
export function recordRight(
  { acl, user }: AppUser,
  request: {
    readonly entity: Pick<Entity, 'name' | 'owner' | 'teams'>;
    readonly record: AnyRecord;
    readonly action: 'delete' | 'edit' | 'stream';
  },
): RecordRight {
  const { entity, record, action } = request;
  const level = levelIn(acl.table[entity.name], action);
  if (level === 'all' || level === 'no') return { level, isGranted: level === 'all' };
  const { id, teamsIds }: Readonly<Record<string, unknown>> = { ...user };
  const owners = idsAt(record, entity.owner);
  // Collaborators do not own the record, but see its stream.
  const collaborators = action === 'stream' ? (idsAt(record, 'collaboratorsIds') ?? []) : [];
  const isOwn = owners === undefined || [...owners, ...collaborators].includes(id);
  const ownTeams: readonly unknown[] = Array.isArray(teamsIds) ? teamsIds : [];
  const teams = entity.teams === undefined ? [] : idsAt(record, entity.teams);
  const isOfTeam =
    level === 'team' && (teams === undefined || teams.some((team) => ownTeams.includes(team)));
  return { level, isGranted: isOwn || isOfTeam };
}

export function levelIn(
  levels: AppUser['acl']['table'][string] | undefined,
  action: string,
): Level {
  if (levels === true) return 'all';
  const level = typeof levels === 'object' ? levels[action] : undefined;
  if (level === 'yes' || level === 'all') return 'all';
  return level === 'own' || level === 'team' ? level : 'no';
}

/** Returns undefined if the user cannot read the attribute. */
function idsAt(record: AnyRecord, attribute: string): readonly unknown[] | undefined {
  const value = record[attribute];
  if (value === undefined) return undefined;
  return value === null ? [] : [value].flat();
}

/** Returns the user's permissions for an entity type. They may be narrower for a single record. */
export function rightsOf({ acl, user }: AppUser, entity: string): Rights {
  const levels = acl.table[entity];
  const permits = (name: string): boolean => user.isAdmin || acl[name] === 'yes';
  return {
    may: (action) =>
      levels === true || (typeof levels === 'object' && (levels[action] ?? 'no') !== 'no'),
    mayEditField: (field) => acl.fieldTable[entity]?.[field]?.edit !== 'no',
    massUpdate: permits('massUpdatePermission'),
    export: permits('exportPermission'),
  };
}
