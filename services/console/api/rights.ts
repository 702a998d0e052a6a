import { useMemo } from 'react';
import { useUser } from './session.ts';

/** What the user's role opens of an entity type; of single records it may be less. */
interface Rights {
  may(action: 'create' | 'delete' | 'edit' | 'read'): boolean;
  mayEditField(field: string): boolean;
  readonly massUpdate: boolean;
  readonly export: boolean;
}

export function useRights(entity: string): Rights {
  const { acl, user } = useUser();
  return useMemo(() => {
    const levels = acl.table[entity];
    const permits = (name: string): boolean => user.isAdmin || acl[name] === 'yes';
    return {
      may: (action) =>
        levels === true || (typeof levels === 'object' && (levels[action] ?? 'no') !== 'no'),
      mayEditField: (field) => acl.fieldTable[entity]?.[field]?.edit !== 'no',
      massUpdate: permits('massUpdatePermission'),
      export: permits('exportPermission'),
    };
  }, [acl, user, entity]);
}
