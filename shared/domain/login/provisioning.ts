import { idsIn } from '../record/ids-in.ts';
import type { RecordState } from '../record/record-state.ts';
import type { AttributeValue } from '../value/attribute-values.ts';

/**
 * Entity type of the users that providers manage through SCIM, in the directory log. The memberships are in this record
 * and not in the group, so that a change of one member writes a small event. No teams or roles are stored here: users
 * have those of their groups according to the mapping of the provider.
 */
export const provisionedUserType = 'ProvisionedUser';
/** Entity type of the groups that providers manage through SCIM, in the directory log. */
export const provisionedGroupType = 'ProvisionedGroup';

export interface ProvisionedUser {
  readonly providerId: string;
  readonly userId: string;
  /** As the provider spells it. */
  readonly userName: string;
  /** The id of the user at the provider; null if the provider sends none. */
  readonly externalId: string | null;
  readonly groupIds: readonly string[];
  /** True after the provider has deleted the user. The user is then deactivated, and the provider no longer sees them. */
  readonly isRemoved: boolean;
}

export interface ProvisionedGroup {
  readonly id: string;
  readonly providerId: string;
  readonly displayName: string;
  /** The id of the group at the provider; null if the provider sends none. */
  readonly externalId: string | null;
}

interface Records {
  readonly record: (entityType: string, id: string) => RecordState | undefined;
  readonly records: (entityType: string) => readonly RecordState[];
}

/** Each provider has a separate record for a user, so providers do not see each other's groups and ids. */
export function provisionedUserIdOf(providerId: string, userId: string): string {
  return `${providerId}.${userId}`;
}

export function toProvisionedUser(state: RecordState | undefined): ProvisionedUser | undefined {
  if (state === undefined || state.deleted) return undefined;
  const { providerId, userId, userName, externalId, groupIds, isRemoved } = state.values;
  return {
    providerId: String(providerId),
    userId: String(userId),
    userName: String(userName ?? ''),
    externalId: textOrNull(externalId),
    groupIds: idsIn(groupIds),
    isRemoved: isRemoved === true,
  };
}

/** Returns undefined if the group was deleted or never existed. */
function toProvisionedGroup(state: RecordState | undefined): ProvisionedGroup | undefined {
  if (state === undefined || state.deleted) return undefined;
  const { providerId, displayName, externalId } = state.values;
  return {
    id: state.id,
    providerId: String(providerId),
    displayName: String(displayName),
    externalId: textOrNull(externalId),
  };
}

/** Returns the existing users that a provider manages, oldest first. */
export function provisionedUsers(
  { record, records }: Records,
  providerId: string,
): readonly ProvisionedUser[] {
  return records(provisionedUserType)
    .flatMap((state) => toProvisionedUser(state) ?? [])
    .filter((one) => one.providerId === providerId && !one.isRemoved)
    .filter(({ userId }) => record('User', userId)?.deleted === false);
}

/** Returns the groups of a provider, oldest first. */
export function provisionedGroups(
  { records }: Pick<Records, 'records'>,
  providerId: string,
): readonly ProvisionedGroup[] {
  return records(provisionedGroupType)
    .flatMap((state) => toProvisionedGroup(state) ?? [])
    .filter((group) => group.providerId === providerId);
}

/**
 * Returns the names and external ids of a user's groups, both of which a mapping may contain. Null if the provider does
 * not manage the user, or has no groups: the groups are then in the claims of sign-ins.
 */
export function groupsOfUser(
  directory: Records,
  providerId: string,
  userId: string,
): ReadonlySet<string> | null {
  const id = provisionedUserIdOf(providerId, userId);
  const user = toProvisionedUser(directory.record(provisionedUserType, id));
  if (user === undefined || user.isRemoved) return null;
  if (user.groupIds.length === 0 && provisionedGroups(directory, providerId).length === 0) {
    return null;
  }
  const groups = user.groupIds.flatMap(
    (groupId) => toProvisionedGroup(directory.record(provisionedGroupType, groupId)) ?? [],
  );
  return new Set(groups.flatMap((group) => namesOf(group)));
}

/** Returns the texts by which a mapping may name a group: claims contain names or ids, depending on the provider. */
export function namesOf({ displayName, externalId }: ProvisionedGroup): readonly string[] {
  return externalId === null ? [displayName] : [displayName, externalId];
}

function textOrNull(value: AttributeValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
