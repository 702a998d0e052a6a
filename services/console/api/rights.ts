import { useMemo } from 'react';
import { type AppUser, useUser } from './session.ts';

/** What the user's role opens of an entity type; of single records it may be less. */
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

/** The same, for types that are known later. */
export function useRightsOf(): (entity: string) => Rights {
  const user = useUser();
  return (entity) => rightsOf(user, entity);
}

function rightsOf({ acl, user }: Pick<AppUser, 'acl' | 'user'>, entity: string): Rights {
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
