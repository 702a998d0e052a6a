import type { RecordState } from '../record/record-state.ts';
import { mergeRoles } from './access-table.ts';
import type { Actor } from './actor.ts';
import { mergeFieldAccess } from './field-access.ts';
import { allPermissions, mergePermissions } from './permissions.ts';

/** Builds an actor from a user and all applicable roles: the user's own and those of the user's teams. */
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
