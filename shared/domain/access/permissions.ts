import type { RecordState } from '../record/record-state.ts';
import { mapValues } from '../value/map-values.ts';
import { type AccessLevel, betterLevel, isLevel } from './access-table.ts';

/** Permissions beyond scopes, with the levels of an administrator. Role attributes have the suffix `Permission`. */
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

/** Returns the most permissive value per permission; `no` if no role sets it. */
export function mergePermissions(roles: readonly RecordState[]): Permissions {
  return mapValues(allPermissions, (_, name) =>
    roles
      .map(({ values }) => values[`${name}Permission`])
      .filter(isLevel)
      .reduce<AccessLevel>(betterLevel, 'no'),
  );
}
