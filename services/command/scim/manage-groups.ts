import { Refusal } from '../../../shared/domain/errors.ts';
import {
  namesOf,
  type ProvisionedGroup,
  provisionedGroups,
  provisionedGroupType,
  provisionedUserIdOf,
  provisionedUsers,
} from '../../../shared/domain/login/provisioning.ts';
import type { SignInProvider } from '../../../shared/domain/login/sign-in-provider.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../context.ts';
import type { Resource } from './apply-patch.ts';
import { applyRights, commandFor, managedUsers, provision } from './manage-users.ts';
import { changeMembershipCommand, removeGroupCommand, saveGroupCommand } from './scim-commands.ts';
import { scimRefusal } from './scim-refusal.ts';
import { keptTextOrNull, type ManagedUser, textOrNull, toUserResource } from './scim-user.ts';

/** Bounds the responses with a group, which contain all members. */
const MAX_MEMBERS = 20_000;
/** Members that are changed together. Each needs up to three writes. */
const CHANGED_TOGETHER = 50;

/** Returns the members of each group of a provider, by the id of the group. */
export function membersByGroup(
  { directory }: CommandContext,
  provider: SignInProvider,
): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const { groupIds, userId } of provisionedUsers(directory, provider.id)) {
    for (const groupId of groupIds) {
      const known = members.get(groupId);
      if (known === undefined) members.set(groupId, [userId]);
      else known.push(userId);
    }
  }
  return members;
}

export function requireGroup(
  { directory }: CommandContext,
  provider: SignInProvider,
  id: string,
): ProvisionedGroup {
  const found = provisionedGroups(directory, provider.id).find((group) => group.id === id);
  if (found !== undefined) return found;
  throw new Refusal('not_found', 'record.not_found', `The group ${printable(id)} does not exist.`);
}

/** Returns the attributes of a group that the provider can write. */
export function toGroupResource(
  { displayName, externalId }: ProvisionedGroup,
  members: readonly string[],
): Resource {
  return {
    displayName,
    externalId: externalId ?? undefined,
    members: members.map((value) => ({ value })),
  };
}

/**
 * Creates or changes a group, and the teams and roles of everyone whose membership changes. A repeated request completes
 * an earlier one that ended in between: besides the members, it corrects users who still have rights of the group.
 */
export async function saveGroup(
  context: CommandContext,
  provider: SignInProvider,
  { id, wanted }: { readonly id: string; readonly wanted: Resource },
): Promise<void> {
  const displayName = keptTextOrNull(wanted, 'displayName');
  if (displayName === null) throw scimRefusal('invalidValue', "'displayName' is missing.");
  const isNew = context.directory.record(provisionedGroupType, id) === undefined;
  const before = new Set(membersByGroup(context, provider).get(id));
  const after = readMemberIds(wanted);
  const added = requireSeen(context, provider, after.difference(before));
  const externalId = keptTextOrNull(wanted, 'externalId');
  await context.sender.send(saveGroupCommand, {
    ...commandFor(context, id),
    body: { providerId: provider.id, displayName, externalId },
  });
  await inBatches(added, async ({ user, provisioned }) => {
    if (provisioned !== undefined) return;
    const resource = toUserResource({ user, provisioned });
    await provision(context, provider, { userId: user.id, wanted: resource });
  });
  await changeMembers(context, provider, { id, before, after });
  // A new group has no earlier request to complete. Providers add its members later, who keep their rights until then.
  await applyRightsOf(context, provider, [
    ...before.union(after),
    ...(isNew ? [] : holdersOf(context, provider, id)),
  ]);
}

/** Removes a group after its members have lost its teams and roles, so that a repeated request can complete this. */
export async function removeGroup(
  context: CommandContext,
  provider: SignInProvider,
  { id }: ProvisionedGroup,
): Promise<void> {
  const before = new Set(membersByGroup(context, provider).get(id));
  await changeMembers(context, provider, { id, before, after: new Set() });
  await applyRightsOf(context, provider, [...before, ...holdersOf(context, provider, id)]);
  await context.sender.send(removeGroupCommand, { ...commandFor(context, id), body: {} });
}

interface MemberChange {
  readonly id: string;
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

async function changeMembers(
  context: CommandContext,
  provider: SignInProvider,
  { id: groupId, before, after }: MemberChange,
): Promise<void> {
  const isMember = (userId: string) => after.has(userId);
  const changed = [...before.symmetricDifference(after)];
  await inBatches(changed, async (userId) => {
    const recordId = provisionedUserIdOf(provider.id, userId);
    await context.sender.send(changeMembershipCommand, {
      ...commandFor(context, recordId),
      body: { groupId, isMember: isMember(userId) },
    });
  });
  // Rights are computed from the memberships in memory.
  await context.catchUp();
}

async function applyRightsOf(
  context: CommandContext,
  provider: SignInProvider,
  userIds: readonly string[],
): Promise<void> {
  await inBatches([...new Set(userIds)], async (userId) => applyRights(context, provider, userId));
}

/** Returns the provisioned users who have a team or role that the mapping gives to members of a group. */
function holdersOf(
  { directory }: CommandContext,
  provider: SignInProvider,
  groupId: string,
): readonly string[] {
  const group = provisionedGroups(directory, provider.id).find(({ id }) => id === groupId);
  const names = new Set(group && namesOf(group));
  const granted = new Set(
    provider.groups
      .filter((mapping) => names.has(mapping.group))
      .flatMap(({ teamsIds, rolesIds }) => [...teamsIds, ...rolesIds]),
  );
  if (granted.size === 0) return [];
  return provisionedUsers(directory, provider.id)
    .map(({ userId }) => userId)
    .filter((userId) => {
      const { teamsIds, rolesIds } = directory.record('User', userId)?.values ?? {};
      return [...idsIn(teamsIds), ...idsIn(rolesIds)].some((one) => granted.has(one));
    });
}

function readMemberIds({ members }: Resource): ReadonlySet<string> {
  const given: readonly unknown[] = Array.isArray(members) ? members : [];
  const ids = new Set(given.map((member) => textOrNull(toObject(member), 'value') ?? ''));
  if (ids.size <= MAX_MEMBERS) return ids;
  const message = `A group has at most ${MAX_MEMBERS} members.`;
  throw scimRefusal('invalidValue', message, 'too_large');
}

/** Returns new members. Rejects users that the provider does not see. */
function requireSeen(
  context: CommandContext,
  provider: SignInProvider,
  ids: ReadonlySet<string>,
): readonly ManagedUser[] {
  if (ids.size === 0) return [];
  const users = [...ids].flatMap((id) => context.directory.record('User', id) ?? []);
  const seen = managedUsers(context, provider, users);
  if (seen.length === ids.size) return seen;
  const [unknown = ''] = ids.difference(new Set(seen.map(({ user }) => user.id)));
  const message = `The member ${printable(unknown)} is not a user that this provider manages. Create the user first; groups cannot be members.`;
  throw scimRefusal('invalidValue', message);
}

async function inBatches<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += CHANGED_TOGETHER) {
    await Promise.all(items.slice(start, start + CHANGED_TOGETHER).map(async (item) => act(item)));
  }
}
