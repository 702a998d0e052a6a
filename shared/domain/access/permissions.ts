import type { RecordState } from '../record/record-state.ts';
import { type AccessLevel, betterLevel, isLevel } from './access-table.ts';

/** Rights beyond scopes, named as in a Role without the ending: `assignment`, `massUpdate` … */
export const permissionNames = [
  'assignment',
  'message',
  'mention',
  'userCalendar',
  'audit',
  'export',
  'massUpdate',
  'user',
  'portal',
  'groupEmailAccount',
  'followerManagement',
  'dataPrivacy',
  'lock',
] as const;

type PermissionName = (typeof permissionNames)[number];
export type Permissions = Readonly<Record<PermissionName, AccessLevel>>;

/** Per permission the most permissive value of the roles that set it; `no` if none does. */
export function mergePermissions(roles: readonly RecordState[]): Permissions {
  return permissionsOf((name) =>
    roles
      .map(({ values }) => values[`${name}Permission`])
      .filter(isLevel)
      .reduce<AccessLevel>(betterLevel, 'no'),
  );
}

/** The permissions of an administrator. */
export const allPermissions: Permissions = permissionsOf((name) =>
  ['audit', 'export', 'massUpdate', 'portal', 'dataPrivacy', 'lock'].includes(name) ? 'yes' : 'all',
);

function permissionsOf(levelOf: (name: PermissionName) => AccessLevel): Permissions {
  return {
    assignment: levelOf('assignment'),
    message: levelOf('message'),
    mention: levelOf('mention'),
    userCalendar: levelOf('userCalendar'),
    audit: levelOf('audit'),
    export: levelOf('export'),
    massUpdate: levelOf('massUpdate'),
    user: levelOf('user'),
    portal: levelOf('portal'),
    groupEmailAccount: levelOf('groupEmailAccount'),
    followerManagement: levelOf('followerManagement'),
    dataPrivacy: levelOf('dataPrivacy'),
    lock: levelOf('lock'),
  };
}
