import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { SignInProvider } from '../../../shared/domain/login/sign-in-provider.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { applyGroups, type GroupRights } from './read-claims.ts';

/** Returns the teams and roles that a user of a provider has as a member of these groups. */
export function rightsOf(
  directory: Pick<Directory, 'record'>,
  { groups: mappings }: Pick<SignInProvider, 'groups'>,
  user: RecordState | undefined,
  groups: ReadonlySet<string>,
): GroupRights {
  const current = {
    teamsIds: idsIn(user?.values['teamsIds']),
    rolesIds: idsIn(user?.values['rolesIds']),
  };
  const { teamsIds, rolesIds } = applyGroups(current, groups, mappings);
  // An administrator may have deleted teams and roles after mapping them.
  const isLive = (entityType: string) => (id: string) =>
    directory.record(entityType, id)?.deleted === false;
  return { teamsIds: teamsIds.filter(isLive('Team')), rolesIds: rolesIds.filter(isLive('Role')) };
}

/** Returns the properties that differ from a user's values. Compares lists of ids without their order. */
export function differing<Values extends Readonly<Record<string, string | readonly string[]>>>(
  { values }: RecordState,
  wanted: Values,
): Partial<Values> {
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, after]) => {
      if (typeof after === 'string') return values[name] !== after;
      const ids = new Set(idsIn(values[name]));
      return ids.size !== after.length || !after.every((id) => ids.has(id));
    }),
  ) as Partial<Values>;
}
