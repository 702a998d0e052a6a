import { userModelOf } from '../../../shared/domain/directory/user-model-of.ts';
import { Refusal, validationFailure } from '../../../shared/domain/errors.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import {
  externalIdentityType,
  toExternalIdentity,
} from '../../../shared/domain/login/external-identity.ts';
import {
  groupsOfUser,
  provisionedUserIdOf,
  provisionedUserType,
  toProvisionedUser,
} from '../../../shared/domain/login/provisioning.ts';
import type { SignInProvider } from '../../../shared/domain/login/sign-in-provider.ts';
import { printable } from '../../../shared/domain/printable.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../context.ts';
import { bySystem, systemActor } from '../owner/command.ts';
import { createCommand } from '../records/create.ts';
import { updateCommand } from '../records/update.ts';
import { differing, rightsOf } from '../single-sign-on/group-rights.ts';
import { mergeResource, type Resource } from './apply-patch.ts';
import { provisionUserCommand } from './scim-commands.ts';
import { scimRefusal } from './scim-refusal.ts';
import { keptTextOrNull, type ManagedUser, toUserResource, toUserValues } from './scim-user.ts';

/**
 * Returns the users that a provider sees and can change, oldest first: users that it created, users with an account of
 * the provider and, if the provider links by user name, all others. Administrators are included only if the provider
 * admits them.
 */
export function managedUsers(
  { directory }: Pick<CommandContext, 'directory'>,
  provider: SignInProvider,
  users = directory.records('User'),
): readonly ManagedUser[] {
  const withAccount = new Set(
    directory
      .records(externalIdentityType)
      .flatMap((state) => toExternalIdentity(state) ?? [])
      .filter(({ issuer }) => issuer === provider.issuer)
      .map(({ userId }) => userId),
  );
  return users.flatMap((user) => {
    if (!isAdmitted(provider, user)) return [];
    const provisioned = provisioningOf(directory, provider, user.id);
    const isSeen =
      provisioned === undefined
        ? provider.linksByUserName || withAccount.has(user.id)
        : !provisioned.isRemoved;
    return isSeen ? [{ user, provisioned }] : [];
  });
}

/** The user `system` is regular, too, but belongs to the installation. */
function isAdmitted({ allowsAdministrators }: SignInProvider, user: RecordState): boolean {
  const { deleted, id, values } = user;
  if (deleted || id === systemActor.id) return false;
  return values['type'] === 'regular' || (values['type'] === 'admin' && allowsAdministrators);
}

/** Returns a user that the provider sees. */
export function requireManaged(
  context: CommandContext,
  provider: SignInProvider,
  id: string,
): ManagedUser {
  const user = context.directory.record('User', id);
  const [found] = managedUsers(context, provider, user === undefined ? [] : [user]);
  if (found !== undefined) return found;
  throw new Refusal('not_found', 'record.not_found', `The user ${printable(id)} does not exist.`);
}

function provisioningOf(
  { record }: CommandContext['directory'],
  { id }: SignInProvider,
  userId: string,
) {
  return toProvisionedUser(record(provisionedUserType, provisionedUserIdOf(id, userId)));
}

/**
 * Creates a user. A user that the provider has deleted is activated again. The record of the provisioning is written
 * first: if the process dies in between, the provider can repeat the request.
 */
export async function createUser(
  context: CommandContext,
  provider: SignInProvider,
  wanted: Resource,
): Promise<string> {
  const { directory } = context;
  const values = toUserValues(wanted, undefined);
  const namesake = directory.userByName(String(values['userName']));
  if (namesake !== undefined) {
    const earlier = provisioningOf(directory, provider, namesake.id);
    // Another spelling may be another person, such as `jürgen` after `jurgen`.
    const isSame =
      earlier?.isRemoved === true &&
      earlier.userName.toLowerCase() === keptTextOrNull(wanted, 'userName')?.toLowerCase();
    if (!isSame || !isAdmitted(provider, namesake)) throw nameTaken(namesake);
    const known = { user: namesake, provisioned: undefined };
    const revived = { ...toUserResource(known), active: true };
    await changeUser(context, provider, known, mergeResource(revived, wanted));
    await context.catchUp();
    await applyRights(context, provider, namesake.id);
    return namesake.id;
  }
  const { problems } = readInput(userModelOf(directory), values, 'create');
  const [first, ...others] = problems;
  if (first !== undefined) throw validationFailure('User', [first, ...others]);
  const userId = context.newId();
  await provision(context, provider, { userId, wanted });
  await context.sender.send(createCommand, {
    ...commandFor(context, userId),
    body: { ...values, type: 'regular' },
    // Providers have no values for the fields that an administrator has added to users.
    conditions: { allowsMissingFields: true },
  });
  context.log.info({ userId, providerId: provider.id }, 'user provisioned');
  return userId;
}

/** Changes a user to the wanted resource. Writes only differences. */
export async function changeUser(
  context: CommandContext,
  provider: SignInProvider,
  managed: ManagedUser,
  wanted: Resource,
): Promise<void> {
  const { user } = managed;
  const { isActive, ...values } = toUserValues(wanted, managed);
  // Sent first, so that an invalid value elsewhere in the request does not prevent the deactivation.
  if (isActive === false) await update(context, user.id, { isActive });
  const others = isActive === true ? { ...values, isActive } : values;
  if (Object.keys(others).length > 0) await update(context, user.id, others);
  await provision(context, provider, { userId: user.id, wanted });
}

/** Deactivates a user, who leaves all groups. The records of the user stay. */
export async function removeUser(
  context: CommandContext,
  provider: SignInProvider,
  managed: ManagedUser,
): Promise<void> {
  const userId = managed.user.id;
  await update(context, userId, { isActive: false });
  await provision(context, provider, { userId, wanted: toUserResource(managed), isRemoved: true });
}

/** Records that the provider manages the user. */
export async function provision(
  context: CommandContext,
  { id: providerId }: SignInProvider,
  {
    userId,
    wanted,
    isRemoved = false,
  }: { readonly userId: string; readonly wanted: Resource; readonly isRemoved?: boolean },
): Promise<void> {
  await context.sender.send(provisionUserCommand, {
    ...commandFor(context, provisionedUserIdOf(providerId, userId)),
    body: {
      providerId,
      userId,
      userName: keptTextOrNull(wanted, 'userName') ?? '',
      externalId: keptTextOrNull(wanted, 'externalId'),
      isRemoved,
    },
  });
}

/** The lists of teams and roles are written as a whole, and another change may have just been made. */
const MAX_ATTEMPTS = 5;

/** Gives a user the teams and roles of their groups, as a sign-in would. Writes nothing if nothing differs. */
export async function applyRights(
  context: CommandContext,
  provider: SignInProvider,
  userId: string,
  attempt = 1,
): Promise<void> {
  const { directory } = context;
  const user = directory.record('User', userId);
  const groups = groupsOfUser(directory, provider.id, userId);
  if (user === undefined || groups === null || !isAdmitted(provider, user)) return;
  const body = differing(user, { ...rightsOf(directory, provider, user, groups) });
  if (Object.keys(body).length === 0) return;
  try {
    await update(context, userId, body, user.version);
  } catch (error) {
    const isRace = error instanceof Refusal && error.code === 'record.version_differs';
    if (!isRace || attempt === MAX_ATTEMPTS) throw error;
    await context.catchUp();
    await applyRights(context, provider, userId, attempt + 1);
  }
}

async function update(
  context: CommandContext,
  userId: string,
  body: AttributeValues,
  version?: number,
): Promise<void> {
  const conditions = version === undefined ? {} : { ifMatch: [version] };
  await context.sender.send(updateCommand, { ...commandFor(context, userId), body, conditions });
}

/** Returns the parts that all commands for a provider share. Their actor is the installation, as for sign-ins. */
export function commandFor(context: CommandContext, id: string) {
  const deadline = context.now() + context.timeoutMs;
  return { ...bySystem, id, model: userModelOf(context.directory), deadline };
}

function nameTaken({ values }: RecordState): Refusal {
  const userName = printable(String(values['userName']));
  const message = `The user name ${userName} belongs to another user. Find the user with a filter, or allow the provider to link users by name.`;
  return scimRefusal('uniqueness', message, 'conflict');
}
