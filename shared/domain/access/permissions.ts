import type { RecordState } from '../record/record-state.ts';
import { mapValues } from '../value/map-values.ts';
import { type AccessLevel, betterLevel, isLevel } from './access-table.ts';

/** Rights beyond scopes, named as in a Role without the ending, with the levels of an administrator. */
export const allPermissions = {
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

export type Permissions = Readonly<Record<keyof typeof allPermissions, AccessLevel>>;

/** Per permission the most permissive value of the roles that set it; `no` if none does. */
export function mergePermissions(roles: readonly RecordState[]): Permissions {
  return mapValues(allPermissions, (_, name) =>
    roles
      .map(({ values }) => values[`${name}Permission`])
      .filter(isLevel)
      .reduce<AccessLevel>(betterLevel, 'no'),
  );
}
