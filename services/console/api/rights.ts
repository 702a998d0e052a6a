import { useMemo } from 'react';
import { type AppUser, useUser } from './session.ts';

/** The user's permissions for an entity type. They may be narrower for a single record. */
interface Rights {
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

/** True if the user may see the users of the installation. */
export function mayReadUsers(session: AppUser): boolean {
  return rightsOf(session, 'User').may('read');
}

/** True if the user may read the description of the API: administrators, and roles for people who write programs. */
export function mayReadApiDescription({ acl }: AppUser): boolean {
  return acl.table['OpenApi'] === true;
}

function rightsOf({ acl, user }: AppUser, entity: string): Rights {
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
